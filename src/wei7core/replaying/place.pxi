"""`Place`: a branch of a document and its path, and paths as text."""


def parse_path(path):
    """Return the ordinals of a path given as ordinals or as text: `0.1`; `-` or empty is the root.

    Raises `ValueError` if the text is no path.
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
    """A branch and its path. The chain of parents stores a path of any depth in constant space per branch."""

    cdef readonly object branch
    cdef readonly Place parent
    cdef readonly object ordinal

    __new__ = staticmethod(type.__call__)  # the constructor's result goes to its caller

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

    def is_linked(self, tree):
        """Whether the ordinals still lead from `tree` through these branches to this one."""
        cdef Place place = self
        while place.parent is not None:
            branches = place.parent.branch.branches
            if not (place.ordinal < len(branches) and branches[place.ordinal] is place.branch):
                return False
            place = place.parent
        return place.branch is tree

    @property
    def has_start(self):
        """Whether the start of the branch is a node of its own among the children of the node before it.

        It is one at the root, in a branch with a `pre` and in a branch without steps. Any other start is the same
        position as the node before it, and the first step is the child.
        """
        return starts(self)

    def below(self):
        """The places of the branches of this one."""
        return [Place(branch, self, ordinal) for ordinal, branch in enumerate(self.branch.branches)]


cdef bint starts(Place place) except -1:
    return place.parent is None or place.branch.pre is not None or not place.branch.steps
