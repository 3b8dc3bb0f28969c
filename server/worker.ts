import { runUntilStopped } from './run.ts'
import { startWorkerProcess } from './start-worker.ts'

/** Runs background work alone, beside processes that serve with WORKER_MODE=external. */
await runUntilStopped(startWorkerProcess, { isService: true })
