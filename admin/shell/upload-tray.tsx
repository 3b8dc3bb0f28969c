import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { UploadRows } from '../features/media/upload-rows'
import { useStoreCode } from '../platform/client'
import { useMe } from '../platform/session'
import { isUploading, runUploads, useUploads } from '../platform/uploads'
import styles from './upload-tray.module.css'

/** How many uploads are listed below every page. The page of jobs has all of them. */
const listed = 3

/** Runs the uploads, and shows those that have not ended below every page. */
export function UploadTray() {
  const { t } = useLingui()
  const queryClient = useQueryClient()
  const store = useStoreCode()
  const { id: person } = useMe()
  const uploads = useUploads()
  useEffect(() => runUploads({ store, person }), [store, person])
  const done = uploads.filter(({ state }) => state === 'DONE').length
  useEffect(() => {
    if (done > 0) void queryClient.invalidateQueries({ queryKey: ['video-jobs'] })
  }, [queryClient, done])
  const isBusy = uploads.some(isUploading)
  useEffect(() => {
    if (!isBusy) return
    const shown = new AbortController()
    window.addEventListener('beforeunload', (event) => event.preventDefault(), shown)
    return () => shown.abort()
  }, [isBusy])
  const open = uploads.filter(({ state }) => state !== 'DONE')
  if (open.length === 0) return null
  const more = open.length - listed
  return (
    <section className={styles.tray} aria-label={t`Uploads`}>
      <UploadRows uploads={open.slice(0, listed)} />
      {more > 0 && (
        <p className={styles.more}>
          <Link to="/jobs">
            <Plural value={more} one="# more upload" other="# more uploads" />
          </Link>
        </p>
      )}
      <p className={styles.more}>
        <Trans>Uploads go on while the console is open. After a reload, choose the same file again to continue.</Trans>
      </p>
    </section>
  )
}
