import HoldfastStores

// Instants are microseconds of the server's clock; Lua's numbers are exact up to 2^53. An event's or change's id is its
// epoch and number, so that streams order themselves, and refuse what would come out of order.
//
// `hf:epoch` is a hash: `number` and `began` of the epoch, `replid` of the server's history that it belongs to; `count`
// and `event`, from which a session goes on that was forgotten, so that no number means two things; `change`, the number
// of the last commit; `revoked`, that of the last change of `hf:revoked`.
extension Script {
  var source: String {
    switch self {
    case .begin: Lua.flags("allow-oom") + Lua.clock + Lua.begin
    case .load: Lua.flags("no-writes") + Lua.prologue + Lua.load
    case .commit: Lua.flags("") + Lua.prologue + Lua.commit
    // A store that is full must not lose its members, too.
    case .beat: Lua.flags("allow-oom") + Lua.prologue + Lua.renew + Lua.beat
    case .levels: Lua.flags("allow-oom") + Lua.prologue + Lua.renew + Lua.recent + Lua.levels
    case .heard: Lua.flags("no-writes") + Lua.prologue + Lua.recent + Lua.heard
    case .read: Lua.flags("no-writes") + Lua.prologue + Lua.read
    case .changes: Lua.flags("no-writes") + Lua.prologue + Lua.changes
    case .due: Lua.flags("no-writes") + Lua.prologue + Lua.due
    case .postpone: Lua.flags("allow-oom") + Lua.prologue + Lua.postpone
    case .repair: Lua.flags("") + Lua.prologue + Lua.repair
    case .mark: Lua.flags("allow-oom") + Lua.prologue + Lua.mark
    // Few and small, and not to be put off until there is memory.
    case .revoke: Lua.flags("allow-oom") + Lua.prologue + Lua.revoke
    case .revoked: Lua.flags("no-writes") + Lua.prologue + Lua.revoked
    }
  }
}

private enum Lua {
  static func flags(_ flags: String) -> String { flags.isEmpty ? "#!lua\n" : "#!lua flags=\(flags)\n" }

  /// ARGV: the highest epoch that the hub knows, the instant (empty: the server's clock), whether to check the history.
  static let clock = """
    local known = tonumber(ARGV[1])
    local now = tonumber(ARGV[2])
    if not now then
      local time = redis.call('TIME')
      now = time[1] * 1000000 + time[2]
    end
    local function decimal(number) return string.format('%.0f', number) end
    local function history()
      local info = redis.call('INFO', 'replication')
      local replid = string.match(info, 'master_replid:(%x+)')
      return replid, string.find(info, 'role:master', 1, true), string.match(info, 'connected_slaves:(%d+)')
    end

    """

  static let prologue =
    clock + """
      local store = redis.call('HMGET', KEYS[1], 'number', 'began', 'replid', 'count', 'event', 'change')
      local epoch = store[1]
      if not epoch or tonumber(epoch) < known then return {'epoch'} end
      local replicas = '0'
      if ARGV[3] == '1' then
        local replid, isMaster, connected = history()
        if not isMaster then return {'replica'} end
        if replid ~= store[3] then return {'epoch'} end
        replicas = connected
      end

      """

  static let begin = """
    local replid, isMaster = history()
    if not isMaster then return {'replica'} end
    local store = redis.call('HMGET', KEYS[1], 'number', 'replid')
    local number = tonumber(store[1] or '0')
    if not store[1] or store[2] ~= replid or number < known then
      number = math.max(math.max(number, known) + 1, math.floor(now / 1000))
      redis.call('HSET', KEYS[1], 'number', decimal(number), 'began', decimal(now), 'replid', replid)
      redis.call('DEL', KEYS[2], KEYS[3])
    end
    return {'ok', decimal(number)}
    """

  /// Epoch, beginning, now, version, last event, session (empty if it is the one that the hub knows, by the version
  /// ARGV[5]), beats, statistics, what is known of the request.
  static let load = """
    local state = redis.call('HMGET', KEYS[2], 'v', 'event', 'blob')
    local answer = false
    if KEYS[5] then
      local asked = redis.call('GET', KEYS[5])
      if asked and now < string.match(asked, '^%d+') + ARGV[4] then answer = asked end
    end
    local count, blob = state[1] or store[4] or '0', state[3]
    if blob and ARGV[5] == epoch .. '-' .. count then blob = '' end
    return {'ok', epoch, store[2], decimal(now), count, state[2] or store[5] or '0', blob,
      redis.call('ZRANGE', KEYS[3], 0, -1, 'WITHSCORES'), redis.call('HGETALL', KEYS[4]), answer}
    """

  /// The streams come first: they refuse numbers that are out of order, and nothing is written yet.
  static let commit = """
    local name, blob, due, lease, memory = ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10]
    local digest, needsReplica, answer = ARGV[11], ARGV[12], ARGV[13]
    local expired, removed, added = ARGV[14], ARGV[15], ARGV[16]
    if KEYS[9] then
      local asked = redis.call('GET', KEYS[9])
      if asked and now < string.match(asked, '^%d+') + memory then return {'known', epoch, asked} end
    end
    local state = redis.call('HMGET', KEYS[2], 'v', 'event', 'epoch', 'name')
    local count = state[1] or store[4] or '0'
    if ARGV[4] ~= epoch or ARGV[5] ~= count then return {'conflict', epoch} end
    local at = 17
    local firstOver = at
    for _ = 1, expired do
      local beat = redis.call('ZSCORE', KEYS[3], ARGV[at])
      if beat and now < beat + lease then return {'renewed', epoch, ARGV[at]} end
      at = at + 1
    end
    local firstAdded = at + removed
    local firstEvent = firstAdded + added
    name = state[4] or name
    local event = tonumber(state[2] or store[5] or '0')
    for i = firstEvent, #ARGV do
      event = event + 1
      redis.call('XADD', KEYS[4], 'MAXLEN', '=', \(EventPage.memory), epoch .. '-' .. decimal(event), 'e', ARGV[i])
    end
    local change = decimal(tonumber(store[6] or '0') + 1)
    redis.call('XADD', KEYS[8], 'MAXLEN', '=', \(ChangePage.memory), epoch .. '-' .. change, 'name', name)
    redis.call('HSET', KEYS[1], 'change', change)
    if state[3] and state[3] ~= epoch then redis.call('XTRIM', KEYS[4], 'MINID', '=', epoch .. '-0') end
    for i = firstOver, firstAdded - 1 do
      redis.call('ZREM', KEYS[3], ARGV[i])
      redis.call('HDEL', KEYS[5], ARGV[i])
      redis.call('HDEL', KEYS[6], ARGV[i])
    end
    for i = firstAdded, firstEvent - 1 do redis.call('ZADD', KEYS[3], decimal(now), ARGV[i]) end
    count = tonumber(count) + 1
    redis.call('HSET', KEYS[2], 'name', name, 'v', decimal(count), 'epoch', epoch, 'event', decimal(event))
    if blob == '' then
      -- Whoever reads the events has a minute to see how the session ended.
      redis.call('HDEL', KEYS[2], 'blob')
      redis.call('PEXPIRE', KEYS[2], 60000)
      redis.call('PEXPIRE', KEYS[4], 60000)
      redis.call('DEL', KEYS[3], KEYS[5], KEYS[6])
      redis.call('HSET', KEYS[1], 'count', decimal(math.max(count, store[4] or 0)),
        'event', decimal(math.max(event, store[5] or 0)))
    else
      redis.call('HSET', KEYS[2], 'blob', blob)
      redis.call('PERSIST', KEYS[2])
      redis.call('PERSIST', KEYS[4])
    end
    if due == '' or blob == '' then
      redis.call('ZREM', KEYS[7], name)
    else
      redis.call('ZADD', KEYS[7], due, name)
    end
    if KEYS[9] then
      local kept = decimal(now) .. ' ' .. digest .. ' ' .. needsReplica .. ' ' .. answer
      redis.call('SET', KEYS[9], kept, 'PX', decimal(memory / 1000))
    end
    return {'ok', epoch, decimal(count), decimal(event), replicas, decimal(now)}
    """

  /// Renews the lease ARGV[4] of the epoch ARGV[5].
  static let renew = """
    if ARGV[5] ~= epoch or not redis.call('ZSCORE', KEYS[3], ARGV[4]) then return {'none', epoch} end
    redis.call('ZADD', KEYS[3], decimal(now), ARGV[4])

    """

  static let beat = """
    if ARGV[6] then redis.call('HSET', KEYS[4], ARGV[4], ARGV[6]) end
    return {'ok', epoch, redis.call('HGET', KEYS[2], 'v') or store[4] or '0'}
    """

  /// The members' levels of the last second, and the fields of older ones.
  static let recent = """
    local function recent(key)
      local kept = redis.call('HGETALL', key)
      local scores, old = {}, {}
      for i = 1, #kept, 2 do
        local at, text = string.match(kept[i + 1], '^(%d+) (.*)$')
        if now < at + 1000000 then
          scores[#scores + 1] = kept[i]
          scores[#scores + 1] = text
        else
          old[#old + 1] = kept[i]
        end
      end
      return scores, old
    end

    """

  static let levels = """
    redis.call('HSET', KEYS[4], ARGV[4], decimal(now) .. ' ' .. ARGV[6])
    redis.call('PEXPIRE', KEYS[4], 2000)
    local scores, old = recent(KEYS[4])
    for i = 1, #old do redis.call('HDEL', KEYS[4], old[i]) end
    return {'ok', epoch, scores}
    """

  static let heard = """
    return {'ok', epoch, (recent(KEYS[2]))}
    """

  /// Events behind the number ARGV[5] of the epoch ARGV[4], if none of them is missing.
  static let read = """
    local last = tonumber(redis.call('HGET', KEYS[2], 'event') or store[5] or '0')
    local missed = last - ARGV[5]
    if ARGV[4] ~= epoch or missed < 0 or missed > \(EventPage.memory) then return {'reset', epoch} end
    if missed == 0 then return {'ok', epoch, {}} end
    local entries = redis.call('XRANGE', KEYS[3], epoch .. '-' .. decimal(ARGV[5] + 1), '+')
    if #entries ~= missed then return {'reset', epoch} end
    local events = {}
    for i, entry in ipairs(entries) do events[i] = entry[2][2] end
    return {'ok', epoch, events}
    """

  static let changes = """
    local last = tonumber(store[6] or '0')
    local missed = last - (tonumber(ARGV[5]) or -1)
    if ARGV[4] ~= epoch or missed < 0 or missed > \(ChangePage.memory) then return {'any', epoch, decimal(last)} end
    if missed == 0 then return {'ok', epoch, decimal(last), {}} end
    local entries = redis.call('XRANGE', KEYS[2], epoch .. '-' .. decimal(last - missed + 1), '+')
    if #entries ~= missed then return {'any', epoch, decimal(last)} end
    local names = {}
    for i, entry in ipairs(entries) do names[i] = entry[2][2] end
    return {'ok', epoch, decimal(last), names}
    """

  static let due = """
    return {'ok', epoch, redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', decimal(now + ARGV[4]))}
    """

  /// Of the version ARGV[4] and ARGV[5], the session ARGV[6] to ARGV[7].
  static let postpone = """
    local state = redis.call('HMGET', KEYS[2], 'v', 'name')
    if ARGV[4] ~= epoch or ARGV[5] ~= (state[1] or store[4] or '0') then return {'ok', epoch} end
    local name = state[2] or ARGV[6]
    if ARGV[7] == '' then redis.call('ZREM', KEYS[3], name) else redis.call('ZADD', KEYS[3], ARGV[7], name) end
    return {'ok', epoch}
    """

  /// Makes sessions due that nobody would look at; their states are the keys from the third on.
  static let repair = """
    for i = 3, #KEYS do
      local state = redis.call('HMGET', KEYS[i], 'name', 'blob')
      if state[1] and state[2] then redis.call('ZADD', KEYS[2], 'NX', decimal(now), state[1]) end
    end
    return {'ok', epoch}
    """

  /// Writes something, so that `WAIT` waits for what other connections wrote before: from Redis 7.2 on it waits for the
  /// last write of its own connection.
  static let mark = """
    redis.call('HSET', KEYS[1], 'marked', decimal(now))
    local _, _, connected = history()
    return {'ok', epoch, connected}
    """

  /// ARGV: how many ids there may be, up to which second they are forgotten, then each id with its expiry.
  /// What was here before is marked, too, so that `WAIT` waits for it.
  static let revoke = """
    redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[5])
    local limit, count, changed, word = tonumber(ARGV[4]), redis.call('ZCARD', KEYS[2]), 0, 'ok'
    for i = 6, #ARGV, 2 do
      local isKnown = redis.call('ZSCORE', KEYS[2], ARGV[i])
      if isKnown or count < limit then
        changed = changed + redis.call('ZADD', KEYS[2], 'GT', 'CH', ARGV[i + 1], ARGV[i])
        if not isKnown then count = count + 1 end
      else
        word = 'full'
      end
    end
    if changed > 0 then redis.call('HINCRBY', KEYS[1], 'revoked', 1) end
    redis.call('HSET', KEYS[1], 'marked', decimal(now))
    return {word, epoch, replicas}
    """

  /// All ids, unless the hub knows the version ARGV[4] and ARGV[5] of them.
  static let revoked = """
    local count = redis.call('HGET', KEYS[1], 'revoked') or '0'
    if ARGV[4] == epoch and ARGV[5] == count then return {'same', epoch} end
    return {'ok', epoch, count, redis.call('ZRANGE', KEYS[2], 0, -1, 'WITHSCORES')}
    """
}
