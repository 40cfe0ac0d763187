"""A row carries in its hash exactly what its header says."""

from hypothesis import given
from hypothesis import strategies as st

from kata.events.record import Record
from kata.store.chain import link, payload_digest
from kata.store.rows import build_row, header_of

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)


@given(
    st.builds(
        Record, *[TEXTS] * 3, st.integers(1, 9), *[TEXTS] * 5, st.none() | TEXTS, st.binary(max_size=8)
    ),
    st.integers(1, 2**40),
    st.integers(1, 2**40),
)
def test_what_a_row_is_chained_by_is_its_header_as_it_is_read_back(record, position, version):
    row = build_row(record, position, version, "2026-01-01T09:00:01.000000Z", "v1:ab")
    digest = payload_digest(record.payload)
    assert (row.payload_hash, row.hash) == (digest, link("v1:ab", header_of(row), digest))
