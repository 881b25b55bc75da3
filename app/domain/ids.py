"""Names of things: each id has its own type, so that one cannot stand for another."""

from typing import NewType

ConversationId = NewType("ConversationId", str)
ToolCallId = NewType("ToolCallId", str)
ObservationId = NewType("ObservationId", str)  # "o1", "o2" …, unique in a conversation
Ref = NewType("Ref", str)  # "e1", "e2" …, one counter a conversation, never given twice
QuoteId = NewType("QuoteId", str)  # "q1" …
SubmissionId = NewType("SubmissionId", str)  # "s1" …
FileId = NewType("FileId", str)  # "f1" …, the files of a conversation, given and downloaded
ResultId = NewType("ResultId", str)  # "r1" …, the results of a conversation in their order
TabId = NewType("TabId", int)  # 1, 2 …, never given twice while the browser runs
DocumentId = NewType("DocumentId", str)  # a new one at each navigation or reload of a frame
BlobHash = NewType("BlobHash", str)  # SHA-256 in hex
