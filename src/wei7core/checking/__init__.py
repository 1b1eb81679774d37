"""Records judged: whether a game keeps the rules that it claims, whether its result agrees with its board, whether it
is a copy of another one."""
