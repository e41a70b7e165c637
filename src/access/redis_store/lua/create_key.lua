-- Adds a key. Returns the new generation. KEYS: generation, records. ARGV: id, record.
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return redis.call('INCR', KEYS[1])
