import { queryOptions } from '@tanstack/react-query'
import { readCues } from './cues'

/** What is said, from a stream's captions. Their address is renewed while the film plays; what was read of it stays. */
export const transcriptQuery = (track: { language: string; url: string } | undefined) =>
  queryOptions({
    // The file's own place, without the part of the address that changes by the hour.
    queryKey: ['transcript', track?.url.split('/').slice(-3).join('/')],
    queryFn: ({ signal }) => readCues(track!.url, signal),
    enabled: track !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  })
