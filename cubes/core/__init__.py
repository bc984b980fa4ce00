"""What all of `cubes` speaks of: records, errors, dates, quantities, words. It imports nothing else."""
