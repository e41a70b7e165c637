-- Replaces the record of an active key if it is still the known one. KEYS: generation, records, revoked. ARGV: id, known
-- record, new record. Returns 1 if replaced, 0 if the record is another one by now.
if redis.call('HGET', KEYS[2], ARGV[1]) ~= ARGV[2] or redis.call('SISMEMBER', KEYS[3], ARGV[1]) == 1 then
  return 0
end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
redis.call('INCR', KEYS[1])
return 1
