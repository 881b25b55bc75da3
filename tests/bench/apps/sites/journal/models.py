"""Pages of the journal, and topics that posts belong to."""

from django.db import models
from wagtail import blocks
from wagtail.admin.panels import FieldPanel, MultiFieldPanel
from wagtail.fields import RichTextField, StreamField
from wagtail.models import Page
from wagtail.snippets.models import register_snippet


@register_snippet
class Topic(models.Model):
    title = models.CharField(max_length=60)
    colour = models.CharField(max_length=20, choices=(("red", "Red"), ("green", "Green"), ("blue", "Blue")))
    panels = (FieldPanel("title"), FieldPanel("colour"))

    def __str__(self) -> str:
        return self.title


class SectionPage(Page):
    introduction = RichTextField(blank=True)
    content_panels = (*Page.content_panels, FieldPanel("introduction"))


class PostPage(Page):
    published_on = models.DateField("published on")
    author = models.CharField(max_length=80)
    is_featured = models.BooleanField("on the front page", default=False)
    topic = models.ForeignKey(Topic, null=True, blank=True, on_delete=models.SET_NULL)
    body = StreamField(
        [("heading", blocks.CharBlock()), ("paragraph", blocks.RichTextBlock()), ("quotation", blocks.TextBlock())],
        blank=True,
    )
    content_panels = (
        *Page.content_panels,
        MultiFieldPanel([FieldPanel("published_on"), FieldPanel("author"), FieldPanel("is_featured")], "About it"),
        FieldPanel("topic"),
        FieldPanel("body"),
    )
