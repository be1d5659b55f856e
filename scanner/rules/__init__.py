"""The game of clabber, pure: cards, melds, bidding, play, scoring, and the sums a score sheet must obey."""
