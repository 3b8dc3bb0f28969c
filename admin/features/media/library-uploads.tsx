import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useAdminApi } from '../../platform/admin-api'
import { notify } from '../../platform/notifications'
import { addUploads } from '../../platform/uploads'
import { FileButton } from '../../ui/file-button'
import { FileDrop } from '../../ui/file-drop'
import styles from './media.module.css'
import { isUnderWay, latestVideoJobsQuery } from './videos.queries'

const accepted = 'video/*,.mkv'
const isVideo = ({ name, type }: File) => type.startsWith('video/') || /\.mkv$/i.test(name)

/** Uploads videos that no product shows yet. They go on below every page. */
export function LibraryUploads() {
  const { t } = useLingui()
  const jobs = useQuery(latestVideoJobsQuery(useAdminApi())).data?.items ?? []
  const encoding = jobs.filter((job) => job.productCode === null && isUnderWay(job)).length
  const add = (files: readonly File[]) => {
    const videos = files.filter(isVideo)
    addUploads(videos.map((file) => ({ file })))
    const [other] = files.filter((file) => !isVideo(file))
    if (other) notify('error', t`“${other.name}” is not a video.`)
  }
  return (
    <>
      <FileDrop onDrop={add}>
        <FileButton accept={accepted} onChooseMany={add}>
          <Trans>Upload videos</Trans>
        </FileButton>
        <span className={styles.facts}>
          <Trans>Or drop files here. Products and lessons can show them later.</Trans>
        </span>
      </FileDrop>
      {encoding > 0 && (
        <p>
          <Link to="/videos">
            <Plural value={encoding} one="# video is being encoded." other="# videos are being encoded." />
          </Link>
        </p>
      )}
    </>
  )
}
