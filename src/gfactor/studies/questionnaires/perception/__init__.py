"""What studies of perception need: the participant's screen, timed pictures, screening of sight."""
