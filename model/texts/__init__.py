"""The texts of the training: rows of the data folder, generated conversations, random tokens."""
