"""The page that a decision is made from: what bench measured and decide made of it, as one HTML file or as Markdown."""
