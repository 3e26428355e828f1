import { expect, test } from 'vitest'
import { readLoad } from './reported-load.ts'

test('the load of vLLM is that of all its data-parallel ranks', () => {
  const text = [
    '# HELP vllm:num_requests_running Number of requests in model execution batches.',
    '# TYPE vllm:num_requests_running gauge',
    'vllm:num_requests_running{engine="0",model_name="a"} 3.0',
    'vllm:num_requests_running{engine="1",model_name="a"} 4.0',
    'vllm:num_requests_waiting{engine="0",model_name="a"} 1.0',
    'vllm:num_requests_waiting{engine="1",model_name="a"} 0.0',
    'vllm:num_requests_waiting_by_reason{engine="0",reason="deferred"} 1.0',
  ].join('\n')
  expect(readLoad('vllm', text)).toEqual({ running: 7, waiting: 1 })
})

test('the load of SGLang does not count a request again for its priority', () => {
  const text = [
    'sglang:num_running_reqs{model_name="a",priority="",tp_rank="0"} 5.0',
    'sglang:num_running_reqs{model_name="a",priority="1",tp_rank="0"} 5.0',
    'sglang:num_queue_reqs{model_name="a",priority="",tp_rank="0"} 2.0\n',
  ].join('\n')
  expect(readLoad('sglang', text)).toEqual({ running: 5, waiting: 2 })
})

test('the load of llama-server is that of its slots and its queue', () => {
  const text = [
    '# TYPE llamacpp:requests_processing gauge',
    'llamacpp:requests_processing 4',
    '# TYPE llamacpp:requests_deferred gauge',
    'llamacpp:requests_deferred 11',
  ].join('\r\n')
  expect(readLoad('llama-server', text)).toEqual({ running: 4, waiting: 11 })
})

test.for([
  ['no gauges', ''],
  ['one of the two', 'vllm:num_requests_running 1'],
  ['a negative number', 'vllm:num_requests_running -1\nvllm:num_requests_waiting 0'],
  ['no number', 'vllm:num_requests_running NaN\nvllm:num_requests_waiting 0'],
  ['infinity', 'vllm:num_requests_running +Inf\nvllm:num_requests_waiting 0'],
  ['a number that is too large', 'vllm:num_requests_running 1e9\nvllm:num_requests_waiting 0'],
  ['a value that is missing', 'vllm:num_requests_running{a="b"}\nvllm:num_requests_waiting 0'],
  ['names within a line', '# vllm:num_requests_running 1\n# vllm:num_requests_waiting 0'],
  ['the metrics of another engine', 'sglang:num_running_reqs 1\nsglang:num_queue_reqs 0'],
] as const)('metrics with %s are no load', ([, text]) => {
  expect(readLoad('vllm', text)).toBeUndefined()
})
