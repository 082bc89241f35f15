"""From what the analysis saw to candidates, and from candidates to findings with their exact spans."""
