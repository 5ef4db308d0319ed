"""The pages of a study, a file per part of a participant's way, and the owner's."""
