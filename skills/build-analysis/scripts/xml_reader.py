"""A small XML reader for files nobody vouches for: no entities but the five, no document types, bounded depth.

It yields ("start", name, attributes), ("end", name, None) and ("text", text, None), each in one pass over the text.
"""

import re

MAX_DEPTH = 100

_ATTRIBUTE = re.compile(r"""(?:^|\s)([^\s=/>"'<]{1,100})\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_REFERENCE = re.compile(r"&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));")
_TAG_END = re.compile(r"""[>"']""")
_ENCODING = re.compile(rb"""^<\?xml[^>]{0,200}?encoding=["']([A-Za-z0-9_-]{1,20})["']""")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ENCODINGS = {"utf-8", "utf-16", "iso-8859-1", "windows-1252", "gb2312", "gbk", "gb18030", "us-ascii", "shift_jis"}


class XmlError(ValueError):
    """The text is no XML, or XML of a kind that is not read."""


def decode_xml(data):
    """The text of a file, by its mark or its declaration; what cannot be decoded is replaced."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    declared = _ENCODING.match(data[:300])
    name = declared.group(1).decode("ascii").lower() if declared else "utf-8"
    return data.decode(name if name in _ENCODINGS else "utf-8", "replace").lstrip("\ufeff")


def read_xml(text):
    """Yields what stands in the text until it ends or goes wrong, then raises XmlError."""
    depth = 0
    at = 0
    while True:
        opening = text.find("<", at)
        if opening == -1:
            break
        if opening > at:
            yield "text", resolve(text[at:opening]), None
        if text.startswith("<![CDATA[", opening):
            at = _after(text, "]]>", opening)
            yield "text", text[opening + 9:at - 3], None
        elif text.startswith("<!--", opening):
            at = _after(text, "-->", opening + 4)
        elif text.startswith("<?", opening):
            at = _after(text, "?>", opening)
        elif text.startswith("<!", opening):
            raise XmlError("document types are not read")
        else:
            at = _tag_end(text, opening)
            for event in _read_tag(text[opening + 1:at - 1]):
                depth += {"start": 1, "end": -1}[event[0]]
                yield event
            if depth > MAX_DEPTH:
                raise XmlError("nested too deeply")
    if depth != 0:
        raise XmlError("ends before its elements do")


def resolve(text):
    """Puts characters in the place of their references; unknown ones stay."""
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _read_tag(inside):
    if inside.startswith("/"):
        yield "end", inside[1:].strip(), None
        return
    is_empty = inside.endswith("/")
    name, _, rest = inside.rstrip("/").replace("\n", " ").replace("\t", " ").replace("\r", " ").partition(" ")
    if not name:
        raise XmlError("a tag has no name")
    attributes = {}
    for match in _ATTRIBUTE.finditer(rest):
        value = match.group(2) if match.group(2) is not None else match.group(3)
        attributes.setdefault(match.group(1), resolve(value))
    yield "start", name, attributes
    if is_empty:
        yield "end", name, None


def _tag_end(text, at):
    while True:
        found = _TAG_END.search(text, at)
        if not found:
            raise XmlError("a tag does not end")
        if found.group() == ">":
            return found.end()
        at = _after(text, found.group(), found.end())


def _after(text, mark, at):
    end = text.find(mark, at)
    if end == -1:
        raise XmlError("ends inside " + repr(text[at:at + 20]))
    return end + len(mark)


def _character(match):
    if match.group(3):
        return _NAMED[match.group(3)]
    code = int(match.group(1)) if match.group(1) else int(match.group(2), 16)
    is_character = 0 < code < 0xD800 or 0xDFFF < code <= 0x10FFFF
    return chr(code) if is_character else "\ufffd"
