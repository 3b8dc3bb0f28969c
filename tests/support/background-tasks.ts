import { runTask } from '#api/worker.ts'
import type { TestApi } from './test-api.ts'

const tasksOf = {
  sweep: ['payments', 'deposits', 'cards', 'subscriptions', 'prices', 'pages', 'mails'],
  cleanup: ['partnerships', 'keys', 'files', 'videoFiles', 'pictures', 'purge'],
}

/**
 * Runs a recurring job for one tenant. The worker runs it for all tenants, so it would also change
 * the tenants of other test files.
 *
 * @throws the error of a task
 */
const runJob = async (name: keyof typeof tasksOf, { deps, fetch }: Pick<TestApi, 'deps' | 'fetch'>, code: string) => {
  for (const task of tasksOf[name]) await runTask(deps, fetch, { customer: code, task })
}

/** Deletes old rows and files of one tenant. */
export const cleanUp = (api: Pick<TestApi, 'deps' | 'fetch'>, { code }: { code: string }) =>
  runJob('cleanup', api, code)

/** Settles payments, cards and subscriptions of one tenant, and sends its mails. */
export const sweepTenant = (api: Pick<TestApi, 'deps' | 'fetch'>, { code }: { code: string }) =>
  runJob('sweep', api, code)
