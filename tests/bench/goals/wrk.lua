-- Sends the requests of a file in turn. A NUL byte follows each request. Arguments: the file, the index of the first request, the
-- number of threads.
local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(args)
  local file = assert(io.open(args[1], "rb"))
  requests, size = {}, 0
  for one in file:read("*a"):gmatch("[^%z]+") do
    size = size + 1
    requests[size] = one
  end
  file:close()
  at = (tonumber(args[2]) + math.floor(number * size / tonumber(args[3]))) % size
end

function request()
  at = at % size + 1
  return requests[at]
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"microseconds":%d,"connect":%d,"read":%d,"write":%d,"timeout":%d,"status":%d}\n',
    summary.requests, summary.duration, errors.connect, errors.read, errors.write, errors.timeout, errors.status))
end
