"""Tools that keep and bring back: quotes, the task card, old pages, questions to the person."""

from dataclasses import replace

from pydantic import Field

from app.agent.answers import Answer
from app.agent.checking import prove
from app.agent.recalling import recall
from app.agent.tools.tool import Arguments, Hands, Tool
from app.domain.events import QuestionKind
from app.domain.ids import QuoteId, ToolCallId
from app.domain.records import TaskCard, TaskFact


class QuoteArguments(Arguments):
    text: str = Field(
        description="the page's own words, exactly; no quotation marks around them, no bars, refs or roles of the tree"
    )
    why: str = Field("", description="what it proves")
    proves: str = Field("", description="id of a submission, such as s1, of which it shows that it happened")


class RecallArguments(Arguments):
    observation: str = Field(description="id of an older page (o7), result (r3) or quote (q2)")
    find: str | None = Field(None, description="only the lines that hold this text, with those above them")
    page: int = Field(1, ge=1)


class FactArguments(Arguments):
    text: str = Field(min_length=1)
    quote: QuoteId | None = None


class CardArguments(Arguments):
    goal: str = Field(min_length=1)
    done: list[str] = Field(default_factory=list)
    open: list[str] = Field(default_factory=list)
    facts: list[FactArguments] = Field(default_factory=list, description="quote: the id of its evidence, such as q1")


class AskArguments(Arguments):
    question: str = Field(min_length=1)
    choices: list[str] = Field(default_factory=list, max_length=6)
    take_over: bool = Field(False, description="the person must do something in the browser: sign in, captcha, payment")


async def _keep_quote(hands: Hands, call: ToolCallId, args: QuoteArguments) -> Answer:
    answer = await hands.remembering.evidence.keep_quote(args.text, args.why)
    if not args.proves or answer.is_error:
        return answer
    told = await prove(hands.acting, args.proves.strip("[] "), args.text)
    return replace(answer, text=f"{answer.text} {told}")


async def _keep_card(hands: Hands, call: ToolCallId, args: CardArguments) -> Answer:
    facts = tuple(TaskFact(fact.text, fact.quote or None) for fact in args.facts)
    card = TaskCard(args.goal, tuple(args.done), tuple(args.open), facts)
    return await hands.remembering.evidence.keep_card(card, call)


async def _recall(hands: Hands, call: ToolCallId, args: RecallArguments) -> Answer:
    acting = hands.acting
    return await recall(acting.transcript, acting.observing, args.observation, args.find or "", args.page)


async def _ask(hands: Hands, call: ToolCallId, args: AskArguments) -> Answer:
    """The person's own words come back as they are; page text never rides in them."""
    if args.take_over:
        labels: tuple[tuple[str, str], ...] = (("takeover", "Take over"), ("no", "Not now"))
    else:
        labels = tuple((str(number), label) for number, label in enumerate(args.choices, 1))
    kind: QuestionKind = "takeover" if args.take_over else "ask"
    answer = await hands.acting.asking.ask(kind, args.question, labels, call=call)
    said = dict(labels).get(answer.choice, answer.choice)
    return Answer(f"The person answers: {'; '.join(part for part in (said, answer.text) if part)}")


RECORD = (
    Tool(
        "keep_quote",
        "Keep a sentence of a page you were shown as evidence, while it is in view. Cite it by its id, such as [q1].",
        QuoteArguments,
        _keep_quote,
    ),
    Tool(
        "task_card",
        "For a task of many steps: say where it stands, when that changes; whole, with all facts: it replaces the card "
        "before. The card never leaves your view.",
        CardArguments,
        _keep_card,
    ),
    Tool("recall", "Show an older page again, as it was; nothing on it can be acted on.", RecallArguments, _recall),
    Tool(
        "ask_user",
        "Ask the person when something is unclear or only they can do it. Never ask for a password; set takeOver and "
        "let them type it into the page.",
        AskArguments,
        _ask,
    ),
)
