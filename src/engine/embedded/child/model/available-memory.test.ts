import { expect, test } from 'vitest'
import { availableMemory } from './available-memory.ts'

const meminfo = 'MemTotal: 16000000 kB\nMemFree:   1000000 kB\nMemAvailable:    8000000 kB\n'

function availableWith(files: Record<string, string>): number {
  return availableMemory((path) => ({ '/proc/meminfo': meminfo, ...files })[path])
}

test("without control groups the machine's available memory counts", () => {
  expect(availableWith({})).toBe(8_192_000_000)
})

test("a control group's limit counts where it leaves less", () => {
  const group = {
    '/proc/self/cgroup': '0::/pipit\n',
    '/sys/fs/cgroup/pipit/memory.max': '2000000000\n',
    '/sys/fs/cgroup/pipit/memory.current': '500000000\n',
  }
  expect(availableWith(group)).toBe(1_500_000_000)
  expect(availableWith({ ...group, '/proc/meminfo': 'MemAvailable: 1000 kB\n' })).toBe(1_024_000)
})

test('the limit "max" is unlimited', () => {
  const unlimited = {
    '/proc/self/cgroup': '0::/pipit\n',
    '/sys/fs/cgroup/pipit/memory.max': 'max\n',
    '/sys/fs/cgroup/pipit/memory.current': '500000000\n',
  }
  expect(availableWith(unlimited)).toBe(8_192_000_000)
})

test('the limit of an enclosing group counts, and a group outside the view does not', () => {
  const nested = {
    '/proc/self/cgroup': '0::/system.slice/pipit.service/child\n',
    '/sys/fs/cgroup/system.slice/memory.max': '3000000000\n',
    '/sys/fs/cgroup/system.slice/memory.current': '1000000000\n',
    '/sys/fs/cgroup/system.slice/pipit.service/memory.max': 'max\n',
    '/sys/fs/cgroup/system.slice/pipit.service/memory.current': '1000\n',
  }
  expect(availableWith(nested)).toBe(2_000_000_000)
})

test('page cache of the group counts as available', () => {
  const cached = {
    '/proc/self/cgroup': '0::/\n',
    '/sys/fs/cgroup/memory.max': '2000000000\n',
    '/sys/fs/cgroup/memory.current': '1900000000\n',
    '/sys/fs/cgroup/memory.stat': 'anon 800000000\ninactive_file 1100000000\nactive_file 5\n',
  }
  expect(availableWith(cached)).toBe(1_200_000_000)
})

test('control groups v1 are read beside an empty v2', () => {
  const first = {
    '/proc/self/cgroup': '12:cpu,cpuacct:/\n4:memory:/docker/abc\n0::/\n',
    '/sys/fs/cgroup/memory/memory.limit_in_bytes': '1000000000\n',
    '/sys/fs/cgroup/memory/memory.usage_in_bytes': '400000000\n',
    '/sys/fs/cgroup/memory/memory.stat': 'inactive_file 1\ntotal_inactive_file 100000000\n',
  }
  expect(availableWith(first)).toBe(700_000_000)
  const unlimited = {
    ...first,
    '/sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
  }
  expect(availableWith(unlimited)).toBe(8_192_000_000)
})
