"""The thirty domains of Percept-V, one file each."""
