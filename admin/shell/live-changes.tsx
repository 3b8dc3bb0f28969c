import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type ChangeTopic, changeTopic, changeTopics } from '#contract/admin/changes.ts'
import { customerBase } from '#contract/http.ts'
import { createThrottle, followChanges, type ServerEvent } from '../platform/change-stream'
import { useStoreCode } from '../platform/client'
import { lazyPart } from '../platform/lazy-part'
import { setLive } from '../platform/live-changes'
import { useMay } from '../platform/session'
import { useLostFocus } from './lost-focus'
import { UploadTray } from './upload-tray'
import { VideoNotices } from './video-notices'

const BulkNotices = lazyPart(async () => ({ default: (await import('./bulk-notices')).BulkNotices }))
const TableNotices = lazyPart(async () => ({ default: (await import('./table-notices')).TableNotices }))

/** What the pages show of each topic, as the beginnings of their queries. */
const queriesOf: Readonly<Record<ChangeTopic, readonly string[]>> = {
  home: ['home', 'orders', 'deposits', 'inquiries', 'cases', 'comments', 'members'],
  mails: ['mails'],
  videos: ['video-jobs', 'video-library', 'home'],
  webhooks: ['webhooks'],
  bulk: ['bulk-jobs'],
  tables: ['table-jobs'],
}

/**
 * Milliseconds between two readings of the same queries. A mailing or a sale changes something many
 * times a second, and the first screen counts a lot.
 */
const readEvery = (name: string) => (queriesOf.home.includes(name) ? 5_000 : 1_000)

/**
 * Reads what a page shows again when the API says that it has changed. A page that nobody sees
 * has no stream, and is read again when it is seen.
 */
export function LiveChanges() {
  useLostFocus()
  const queryClient = useQueryClient()
  const code = useStoreCode()
  const may = useMay()
  const hasTopic = Object.values(changeTopics)
    .flat()
    .some((permission) => may(permission))
  useEffect(() => {
    if (!hasTopic) return undefined
    const throttle = createThrottle((name: string) => {
      void queryClient.invalidateQueries({ queryKey: [name] })
    }, readEvery)
    const readAgain = (topics: readonly ChangeTopic[]) => {
      for (const name of new Set(topics.flatMap((topic) => queriesOf[topic]))) throttle.call(name)
    }
    const onEvent = ({ name, data }: ServerEvent) => {
      if (name === 'ready') {
        setLive(true)
        readAgain(changeTopic.options)
      }
      const topic = changeTopic.safeParse(data)
      if (name === 'change' && topic.success) readAgain([topic.data])
    }
    const onLost = () => {
      // Queries decide with their next answer whether they ask again.
      if (setLive(false)) readAgain(changeTopic.options)
    }
    let open: AbortController | null = null
    const follow = () => {
      open?.abort()
      open = null
      if (document.visibilityState !== 'visible') return
      open = new AbortController()
      void followChanges(`${location.origin}${customerBase(code)}/admin/changes`, open.signal, { onEvent, onLost })
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      open?.abort()
      throttle.stop()
      // Another store has a stream of its own.
      setLive(false)
    }
  }, [queryClient, code, hasTopic])
  return (
    <>
      {may('videos:read') && <VideoNotices />}
      {may('videos:write') && <UploadTray />}
      {changeTopics.bulk.some((permission) => may(permission)) && <BulkNotices />}
      {changeTopics.tables.some((permission) => may(permission)) && <TableNotices />}
    </>
  )
}
