import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { putAnswer } from './put-answer'

test('a read that began before a write does not replace its answer', async () => {
  const queryClient = new QueryClient()
  const reads: PromiseWithResolvers<string>[] = []
  const observer = new QueryObserver(queryClient, {
    queryKey: ['video'],
    queryFn: () => {
      const read = Promise.withResolvers<string>()
      reads.push(read)
      return read.promise
    },
  })
  const stop = observer.subscribe(() => {})
  reads[0]?.resolve('first')
  await queryClient.ensureQueryData({ queryKey: ['video'] })
  const begun = queryClient.refetchQueries({ queryKey: ['video'] })
  await putAnswer(queryClient, ['video'], 'written')
  reads[1]?.resolve('before the write')
  await begun
  expect(reads).toHaveLength(2)
  expect(queryClient.getQueryData(['video'])).toBe('written')
  stop()
})
