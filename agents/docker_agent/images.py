"""Images on the docker host."""

from typing import Any

from .command import field, json_lines, run
from .containers import MAX_LISTED, SHORT_ID

NONE = "<none>"
"""What docker prints for an image without a name: one that a newer build of the same name left behind."""


def listing() -> dict[str, Any]:
    """List the images by repository and tag, those without a name last."""
    images = [_image(row) for row in json_lines(run("images", "--no-trunc", "--format", "{{json .}}"))]
    images.sort(key=lambda one: (one["dangling"], one["repository"], one["tag"], one["id"]))
    return {
        "image_count": len(images),
        "dangling_count": sum(one["dangling"] for one in images),
        "images": images[:MAX_LISTED],
    }


def _image(row: dict[str, Any]) -> dict[str, Any]:
    repository = field(row, "Repository")
    return {
        "repository": repository,
        "tag": field(row, "Tag"),
        "id": field(row, "ID").removeprefix("sha256:")[:SHORT_ID],
        "size": field(row, "Size"),
        "created_at": field(row, "CreatedAt"),
        "dangling": repository == NONE,
    }
