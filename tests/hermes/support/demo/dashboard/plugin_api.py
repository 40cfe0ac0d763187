"""The smallest back end that a dashboard tab can have."""

from fastapi import APIRouter

router = APIRouter()


@router.get("/state")
def state():
    return {"ok": True}
