"""One module an area; each holds its sentences in English and Chinese, side by side."""
