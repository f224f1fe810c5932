#!/usr/bin/env python3
"""booklinks.py FOLDER: every relative link of the HTML pages in a folder leads to a file, and to a part of it that exists."""
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links of a page, and the names of its parts."""

    def __init__(self, path):
        super().__init__()
        self.links, self.names = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        for key, value in attrs:
            if key in ("href", "src") and value:
                self.links.append(value)
            elif key in ("id", "name") and value:
                self.names.add(value)


root = Path(sys.argv[1]).resolve()
# The page of all chapters and the one for a wrong address have their links from elsewhere.
paths = [path for path in root.rglob("*.html") if path.name not in ("print.html", "404.html", "toc.html")]
pages = {path: Page(path) for path in paths}
dead = []
for path, page in pages.items():
    for link in page.links:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        target = target / "index.html" if target.is_dir() and (target / "index.html").exists() else target
        is_there = target.exists() and target.is_relative_to(root)
        if not is_there or parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].names:
            dead.append(f"{path.relative_to(root)}: {link}")
print("\n".join(sorted(set(dead))), file=sys.stderr)
if dead or len(pages) < 50:
    sys.exit(f"{len(set(dead))} dead links in {len(pages)} pages")
