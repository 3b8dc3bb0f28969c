import { runTask } from '#api/worker.ts'
import type { TestApi } from './test-api.ts'

const choresOf = {
  sweep: ['payments', 'deposits', 'cards', 'subscriptions', 'mails'],
  tidy: ['keys', 'files', 'videoFiles', 'purge'],
}

/**
 * Does a round for one tenant. A round of the worker does it for all, and those of the other test files would be a test's clock ahead.
 *
 * @throws what a chore throws.
 */
const runRound = async (
  name: keyof typeof choresOf,
  { deps, fetch }: Pick<TestApi, 'deps' | 'fetch'>,
  code: string,
) => {
  for (const chore of choresOf[name]) await runTask(deps, fetch, { customer: code, chore })
}

/** Forgets what is old, of one tenant. */
export const tidy = (api: Pick<TestApi, 'deps' | 'fetch'>, { code }: { code: string }) => runRound('tidy', api, code)

/** Settles payments, cards and subscriptions of one tenant, and sends its mails. */
export const sweepTenant = (api: Pick<TestApi, 'deps' | 'fetch'>, { code }: { code: string }) =>
  runRound('sweep', api, code)
