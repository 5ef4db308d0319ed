"""Studies of perception: the participant's screen, timed pictures, screening of sight."""
