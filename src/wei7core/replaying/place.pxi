"""`Place`: a branch of a document and the way to it, and paths as text."""


def parse_path(path):
    """Return the ordinals of a path given as ordinals or as text: `0.1`; `-` or nothing is the root.

    Raises `ValueError` where the text is no path.
    """
    if not isinstance(path, str):
        return tuple(path)
    if path in ("", "-"):
        return ()
    try:
        return tuple(int(ordinal) for ordinal in path.split("."))
    except ValueError:
        raise ValueError(f"{path!r} is not a path of branches; write ordinals like 0.1, or - for the root") from None


@cython.final
@cython.trashcan(True)  # a chain of parents may be long
cdef class Place:
    """A branch and the way to it. The chain of parents keeps a path of any depth in constant space per branch."""

    cdef readonly object branch
    cdef readonly Place parent
    cdef readonly object ordinal

    __new__ = staticmethod(type.__call__)  # whoever calls it gets what the constructor makes

    def __init__(self, branch, Place parent=None, ordinal=0):
        self.branch = branch
        self.parent = parent
        self.ordinal = ordinal

    def chain(self):
        """The places from the root to this one."""
        cdef Place place = self
        places = []
        while place is not None:
            places.append(place)
            place = place.parent
        return places[::-1]

    @property
    def path(self):
        """The ordinals that lead from the root to this branch."""
        return tuple([place.ordinal for place in self.chain()[1:]])

    @property
    def has_start(self):
        """Whether the start of the branch is a node of its own among the children of the node before it.

        It is one at the root, where the branch has a `pre` and where it has no steps. Any other start is the same
        position as the node before it, and the first step is the child.
        """
        return starts(self)

    def below(self):
        """The places of the branches of this one."""
        return [Place(branch, self, ordinal) for ordinal, branch in enumerate(self.branch.branches)]


cdef bint starts(Place place) except -1:
    return place.parent is None or place.branch.pre is not None or not place.branch.steps
