-- Revokes a key for good. KEYS: generation, records, revoked. ARGV: id. Returns 0 if there is no such key.
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 0 then
  return 0
end
redis.call('SADD', KEYS[3], ARGV[1])
redis.call('INCR', KEYS[1])
return 1
