import { compileSchema } from '../../../src/engine/grammar/compile-schema.ts'
import { Budget, SchemaRefused } from '../../../src/engine/grammar/grammar.ts'
import { threadCpuUsage } from '../../../src/engine/embedded/child/processor-time.ts'

class CountingBudget extends Budget {
  spent = 0

  override spend(work: number): void {
    this.spent += work
    super.spend(work)
  }
}

/** Compiles a schema, which may be refused. Returns the work that was charged for it, and the processor time. */
export function workOf(schema: object): { work: number; cpuMs: number } {
  const budget = new CountingBudget()
  const cpuMs = cpuMsOf(() => {
    try {
      compileSchema(schema, budget).toNumbers()
    } catch (error) {
      if (!(error instanceof SchemaRefused)) throw error
    }
  })
  return { work: budget.spent, cpuMs }
}

/** Returns the processor time in ms that `work` takes on this thread. */
export function cpuMsOf(work: () => void): number {
  const before = threadCpuUsage()
  work()
  const { user, system } = threadCpuUsage(before)
  return (user + system) / 1000
}
