import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Button, IconButton } from '~/ui/button'
import { ProgressBar } from '~/ui/progress'
import { useIsOnline } from '../../platform/connection'
import { useFormat } from '../../platform/format'
import { isUploading, pauseUpload, removeUpload, resumeUpload, type Upload } from '../../platform/uploads'
import { useConfirm } from '../../ui/confirm'
import { Rows } from '../../ui/rows'

function Progress({ upload }: { upload: Upload }) {
  const { t } = useLingui()
  const { duration, percent } = useFormat()
  const isOnline = useIsOnline()
  const { file, attachment, state, sentBytes, secondsLeft, reason } = upload
  if (state === 'DONE')
    return attachment ? <Trans>Uploaded. Buyers can download it.</Trans> : <Trans>Uploaded. It is encoded now.</Trans>
  if (state === 'FAILED') return reason ?? <Trans>The upload stopped. Check your connection and try again.</Trans>
  const fraction = file.size > 0 ? sentBytes / file.size : 0
  return (
    <>
      <ProgressBar fraction={fraction} label={t`Upload of ${file.name}`} />
      {percent(Math.floor(fraction * 100) / 100)}
      {' · '}
      {state === 'PAUSED' && <Trans>Paused</Trans>}
      {isUploading(upload) && !isOnline && (
        <Trans>You are offline. The upload goes on by itself when the connection is back.</Trans>
      )}
      {state === 'WAITING' && isOnline && <Trans>Waits for the upload before it</Trans>}
      {state === 'SENDING' &&
        isOnline &&
        (secondsLeft === null ? <Trans>Uploading</Trans> : <Trans>{duration(secondsLeft)} left</Trans>)}
    </>
  )
}

function Actions({ upload }: { upload: Upload }) {
  const { t } = useLingui()
  const { percent } = useFormat()
  const { id, file, state, sentBytes } = upload
  const { name } = file
  const sent = percent(file.size > 0 ? Math.floor((sentBytes / file.size) * 100) / 100 : 0)
  const confirm = useConfirm({
    title: t`Cancel the upload of ${name}?`,
    text: <Trans>{sent} has arrived, and would be uploaded again from the start.</Trans>,
    action: t`Cancel the upload`,
    onConfirm: async () => removeUpload(id),
  })
  // Nothing is lost by hiding one that has ended, or by canceling one of which nothing has arrived.
  const isLoss = state !== 'DONE' && sentBytes > 0
  return (
    <>
      {isUploading(upload) && (
        <IconButton icon="pause" label={t`Pause the upload of ${name}`} onClick={() => pauseUpload(id)} />
      )}
      {state === 'PAUSED' && (
        <IconButton icon="play" label={t`Continue the upload of ${name}`} onClick={() => resumeUpload(id)} />
      )}
      {state === 'FAILED' && (
        <Button size="s" aria-label={t`Try the upload of ${name} again`} onClick={() => resumeUpload(id)}>
          <Trans>Try again</Trans>
        </Button>
      )}
      <IconButton
        icon="close"
        label={state === 'DONE' ? t`Hide ${name}` : t`Cancel the upload of ${name}`}
        onClick={isLoss ? confirm.ask : () => removeUpload(id)}
      />
      {confirm.dialog}
    </>
  )
}

function TargetLink({ upload: { product, attachment } }: { upload: Upload }) {
  const code = product ?? attachment?.code
  if (code)
    return (
      <Link to="/products/$code" params={{ code }}>
        {code}
      </Link>
    )
  return (
    <Link to="/videos/library">
      <Trans>Library</Trans>
    </Link>
  )
}

/** Uploads with their progress, and what can be done with each. */
export const UploadRows = ({ uploads }: { uploads: readonly Upload[] }) => (
  <Rows
    items={uploads.map((upload) => ({
      key: String(upload.id),
      title: (
        <>
          <bdi>{upload.file.name}</bdi> <TargetLink upload={upload} />
        </>
      ),
      detail: <Progress upload={upload} />,
      end: <Actions upload={upload} />,
    }))}
  />
)
