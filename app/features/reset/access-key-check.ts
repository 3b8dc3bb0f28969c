import type { QueryClient } from '@tanstack/react-query'
import { accessKeyQuery } from './reset.queries'

interface Check {
  context: { queryClient: QueryClient }
  search: { key?: string | undefined }
}

/** What a key opens: `expired` where it opens nothing any more, `missing` where none was brought. */
export interface Opening {
  state: 'open' | 'expired' | 'missing'
  email: string
}

const shortestKey = 20

/** The access-key confirmation: only a key that still opens leads to the form for a new password. */
export async function confirmAccessKey({ context, search: { key } }: Check): Promise<{ opening: Opening }> {
  if (key === undefined) return { opening: { state: 'missing', email: '' } }
  const found =
    key.length >= shortestKey && key.length <= 100 ? await context.queryClient.fetchQuery(accessKeyQuery(key)) : null
  return { opening: found ? { state: 'open', email: found.email } : { state: 'expired', email: '' } }
}
