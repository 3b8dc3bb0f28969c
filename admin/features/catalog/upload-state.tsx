import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { ProgressBar } from '~/ui/progress'
import styles from './products.module.css'
import type { VideoUploads } from './use-video-upload'

/** The upload that is under way, and why others stopped. */
export function UploadState({ uploads: { current, waiting, failures, cancel } }: { uploads: VideoUploads }) {
  const { t } = useLingui()
  return (
    <>
      {failures.length > 0 && (
        <Notice tone="danger" urgent>
          {failures.map(({ name, reason }, at) => (
            // Two files can have one name.
            // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows
            <p key={at}>
              <bdi>{name}</bdi>: {reason}
            </p>
          ))}
        </Notice>
      )}
      {current && (
        <div className={styles.upload}>
          <p>
            <bdi>{current.name}</bdi>{' '}
            {waiting > 0 && <Plural value={waiting} one="(# more file waits)" other="(# more files wait)" />}
          </p>
          <ProgressBar fraction={current.fraction} label={t`Upload`} />
          <Button size="s" onClick={cancel}>
            {waiting > 0 ? <Trans>Cancel all uploads</Trans> : <Trans>Cancel upload</Trans>}
          </Button>
        </div>
      )}
    </>
  )
}
