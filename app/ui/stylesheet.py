"""The style sheet of the window: shapes and distances in it, colours from the theme, fonts from the system."""

from app.ui.colours import Colours


def stylesheet(colours: Colours) -> str:
    return "\n".join((_ground(colours), _buttons(colours), _fields(colours), _cards(colours), _bars(colours)))


def _ground(c: Colours) -> str:
    return f"""
QToolTip {{ background: {c.raised}; color: {c.text}; border: 1px solid {c.border}; border-radius: 6px;
    padding: 4px 6px; }}
QMainWindow, QDialog {{ background: {c.background}; }}
QLabel {{ background: transparent; }}
QLabel[tone="muted"] {{ color: {c.muted_text}; }}
QLabel[tone="danger"] {{ color: {c.danger}; }}
QLabel[tone="success"] {{ color: {c.success}; }}
QLabel[tone="warning"] {{ color: {c.warning}; }}
QLabel[tone="agent"] {{ color: {c.agent}; }}
QLabel[tone="person"] {{ color: {c.person}; }}
QLabel[tone="quote"] {{ color: {c.quote}; }}
QSplitter::handle {{ background: {c.border}; }}
QSplitter::handle:hover {{ background: {c.accent}; }}
QScrollArea {{ background: transparent; border: none; }}
QFrame[plane="background"], QWidget[plane="background"] {{ background: {c.background}; }}
QFrame[plane="surface"], QWidget[plane="surface"] {{ background: {c.surface}; }}
QMenu {{ background: {c.surface}; border: 1px solid {c.border}; border-radius: 10px; padding: 6px; }}
QMenu::item {{ padding: 7px 18px; border-radius: 6px; }}
QMenu::item:selected {{ background: {c.raised}; color: {c.text}; }}
"""


def _buttons(c: Colours) -> str:
    return f"""
QPushButton {{ background: {c.surface}; color: {c.text}; border: 1px solid {c.border_strong}; border-radius: 9px;
    padding: 6px 14px; outline: none; }}
QPushButton:hover {{ background: {c.raised}; }}
QPushButton:pressed {{ background: {c.selection}; }}
QPushButton:disabled {{ color: {c.disabled_text}; border-color: {c.border}; background: transparent; }}
QPushButton:focus {{ border: 2px solid {c.focus}; padding: 5px 13px; }}
QPushButton[look="primary"] {{ background: {c.accent}; color: {c.accent_text}; border: 1px solid {c.accent}; }}
QPushButton[look="primary"]:hover {{ background: {c.accent_hover}; border-color: {c.accent_hover}; }}
QPushButton[look="primary"]:focus {{ border: 2px solid {c.text}; }}
QPushButton[look="primary"]:disabled {{ background: {c.raised}; color: {c.disabled_text}; border-color: {c.raised}; }}
QPushButton[look="danger"] {{ background: {c.danger}; color: {c.danger_text}; border: 1px solid {c.danger}; }}
QPushButton[look="danger"]:hover {{ background: {c.danger_hover}; border-color: {c.danger_hover}; }}
QPushButton[look="danger"]:focus {{ border: 2px solid {c.text}; }}
QPushButton[look="danger"]:disabled {{ background: transparent; color: {c.disabled_text}; border-color: {c.border}; }}
QPushButton[look="quiet"] {{ background: transparent; border: 1px solid transparent; }}
QPushButton[look="quiet"]:hover {{ background: {c.raised}; }}
QPushButton[look="quiet"]:focus {{ border: 2px solid {c.focus}; }}
QPushButton[look="link"] {{ background: transparent; color: {c.link}; border: 2px solid transparent; padding: 2px 4px;
    text-align: left; }}
QPushButton[look="link"]:hover {{ text-decoration: underline; }}
QPushButton[look="link"]:focus {{ border: 2px solid {c.focus}; }}
QPushButton[look="inline"] {{ background: transparent; color: {c.link}; border: 1px solid transparent;
    border-radius: 5px; padding: 0 4px; }}
QPushButton[look="inline"]:hover {{ text-decoration: underline; }}
QPushButton[look="inline"]:focus {{ border: 1px solid {c.focus}; padding: 0 4px; }}
QPushButton[look="person"] {{ background: {c.person}; color: {c.person_text}; border: 1px solid {c.person}; }}
QPushButton[look="person"]:focus {{ border: 2px solid {c.text}; }}
QPushButton[look="door"] {{ background: {c.surface}; border: 1px solid {c.border}; border-radius: 14px;
    padding: 14px 16px; text-align: left; }}
QPushButton[look="door"]:hover {{ border-color: {c.accent}; background: {c.accent_soft}; }}
QPushButton[look="door"]:focus {{ border: 2px solid {c.focus}; padding: 13px 15px; }}
QPushButton[look="chip"] {{ background: {c.surface}; border: 1px solid {c.border_strong}; border-radius: 13px;
    padding: 5px 14px; }}
QPushButton[look="chip"]:hover {{ background: {c.accent_soft}; border-color: {c.accent}; }}
QPushButton[look="chip"]:focus {{ border: 2px solid {c.focus}; padding: 4px 13px; }}
QToolButton {{ background: transparent; border: 2px solid transparent; border-radius: 9px; padding: 5px; }}
QToolButton:hover {{ background: {c.raised}; }}
QToolButton:pressed, QToolButton:checked {{ background: {c.selection}; }}
QToolButton:focus {{ border: 2px solid {c.focus}; }}
QToolButton[look="bare"] {{ border: none; padding: 0; }}
QToolButton[look="small"] {{ padding: 1px; border-radius: 7px; }}
QToolButton[look="send"] {{ background: {c.accent}; border-radius: 17px; padding: 6px; }}
QToolButton[look="send"]:hover {{ background: {c.accent_hover}; }}
QToolButton[look="send"]:disabled {{ background: {c.raised}; }}
QToolButton[look="send"]:focus {{ border: 2px solid {c.text}; }}
QToolButton::menu-indicator {{ image: none; }}
"""


def _fields(c: Colours) -> str:
    return f"""
QLineEdit, QComboBox {{ background: {c.surface}; color: {c.text}; border: 1px solid {c.border_strong};
    border-radius: 9px; padding: 6px 10px; selection-background-color: {c.selection}; selection-color: {c.text}; }}
QLineEdit:focus, QComboBox:focus {{ border: 2px solid {c.focus}; padding: 5px 9px; }}
QLineEdit:disabled, QComboBox:disabled {{ color: {c.disabled_text}; border-color: {c.border}; }}
QLineEdit[look="search"] {{ background: {c.raised}; border: 1px solid {c.raised}; }}
QLineEdit[look="search"]:focus {{ background: {c.surface}; border: 2px solid {c.focus}; padding: 5px 9px; }}
QComboBox QLineEdit {{ background: transparent; border: none; padding: 0; }}
QComboBox::drop-down {{ border: none; width: 26px; }}
QComboBox QAbstractItemView {{ background: {c.surface}; border: 1px solid {c.border};
    selection-background-color: {c.selection}; selection-color: {c.text}; padding: 4px; outline: none; }}
QFrame[look="composer"] {{ background: {c.surface}; border: 1px solid {c.border_strong}; border-radius: 18px; }}
QFrame[look="composer"][active="true"] {{ border: 2px solid {c.focus}; }}
QFrame[look="composer"] QPlainTextEdit {{ background: transparent; border: none; padding: 0; }}
QTextBrowser {{ background: transparent; border: none; selection-background-color: {c.selection};
    selection-color: {c.text}; }}
QTextBrowser:focus {{ border: none; }}
QScrollBar:vertical {{ background: transparent; width: 12px; margin: 0; }}
QScrollBar::handle:vertical {{ background: {c.border}; border-radius: 4px; min-height: 36px; margin: 2px 2px; }}
QScrollBar::handle:vertical:hover {{ background: {c.border_strong}; }}
QScrollBar:horizontal {{ background: transparent; height: 12px; margin: 0; }}
QScrollBar::handle:horizontal {{ background: {c.border}; border-radius: 4px; min-width: 36px; margin: 2px 2px; }}
QScrollBar::handle:horizontal:hover {{ background: {c.border_strong}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""


def _cards(c: Colours) -> str:
    return f"""
QFrame[card] {{ border: 1px solid transparent; border-radius: 12px; background: transparent; }}
QFrame[card="user"] {{ background: {c.accent_soft}; border-radius: 16px; }}
QFrame[card="plain"] {{ background: {c.surface}; border: 1px solid {c.border}; }}
QFrame[card="raised"] {{ background: {c.background}; border: 1px solid {c.border}; }}
QFrame[card="danger"] {{ background: {c.danger_soft}; border: 1px solid {c.danger_soft}; }}
QFrame[card="warning"] {{ background: {c.warning_soft}; border: 1px solid {c.warning_soft}; }}
QFrame[card="success"] {{ background: {c.success_soft}; border: 1px solid {c.success_soft}; }}
QFrame[card="agent"] {{ background: {c.agent_soft}; border: 1px solid {c.agent_soft}; }}
QFrame[card="person"] {{ background: {c.person_soft}; border: 1px solid {c.person_soft}; }}
QFrame[card="accent"] {{ background: {c.accent_soft}; border: 1px solid {c.accent_soft}; }}
QFrame[card="quote"] {{ background: {c.quote_soft}; border: 1px solid {c.quote_soft}; border-left: 4px solid {c.quote};
    border-radius: 8px; }}
QFrame[card="question"] {{ background: {c.surface}; border: 2px solid {c.accent}; border-radius: 14px; }}
QFrame[card]:focus, QFrame[card][ring="true"] {{ border: 2px solid {c.focus}; }}
QFrame[card][found="true"] {{ border: 2px solid {c.warning}; }}
QLabel[pill] {{ border-radius: 8px; padding: 2px 8px; min-height: 14px; background: {c.raised};
    color: {c.muted_text}; }}
QLabel[pill="success"] {{ background: {c.success_soft}; color: {c.success}; }}
QLabel[pill="warning"] {{ background: {c.warning_soft}; color: {c.warning}; }}
QLabel[pill="danger"] {{ background: {c.danger_soft}; color: {c.danger}; }}
QLabel[pill="agent"] {{ background: {c.agent_soft}; color: {c.agent}; }}
QLabel[pill="person"] {{ background: {c.person_soft}; color: {c.person}; }}
QLabel[pill="accent"] {{ background: {c.accent_soft}; color: {c.accent}; }}
QFrame[line="true"] {{ background: {c.border}; border: none; max-height: 1px; min-height: 1px; }}
"""


def _bars(c: Colours) -> str:
    return f"""
QFrame[bar="top"] {{ background: {c.surface}; border: none; border-bottom: 1px solid {c.border}; }}
QFrame[band="task"] {{ background: {c.background}; border: none; border-bottom: 1px solid {c.border}; }}
QFrame[band="attention"] {{ background: {c.background}; border: none; border-bottom: 2px solid {c.warning}; }}
QFrame[band="warning"] {{ background: {c.warning_soft}; border: none; }}
QFrame[bar="find"] {{ background: {c.background}; border: none; border-bottom: 1px solid {c.border}; }}
QListView[look="conversations"] {{ background: transparent; border: none; outline: none; padding: 0; }}
QListView[look="conversations"]:focus {{ border: none; }}
"""
