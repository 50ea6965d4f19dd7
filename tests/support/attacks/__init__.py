"""Players of the standing attack sets: each gives what broke in a case, or nothing."""
