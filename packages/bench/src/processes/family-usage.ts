import { readFile } from 'node:fs/promises'
import { processUsage, type ProcessUsage } from './process-usage.ts'

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10
const KIBIBYTE = 1_024

/** What this process and those it started hold and have used; of other processes no heap is known. Linux alone. */
export async function familyUsage(children: Iterable<number>): Promise<ProcessUsage> {
  const own = processUsage()
  let [residentBytes, cpuMs] = [own.residentBytes, own.cpuMs]
  for (const pid of children) {
    const usage = await usageOf(pid)
    residentBytes += usage.residentBytes
    cpuMs += usage.cpuMs
  }
  return { residentBytes, cpuMs, heapBytes: Number.NaN }
}

async function usageOf(pid: number): Promise<Omit<ProcessUsage, 'heapBytes'>> {
  const [stat, status] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/status`, 'utf8'),
  ])
  // A program's name may hold spaces; it ends with the last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  const resident = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0
  return { residentBytes: Number(resident) * KIBIBYTE, cpuMs: ticks * TICK_MS }
}
