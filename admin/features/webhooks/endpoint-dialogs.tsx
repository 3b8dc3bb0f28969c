import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { type WebhookEndpointView, type WebhookEventType, webhookEventType } from '#contract/admin/webhooks.ts'
import { Checkbox } from '~/ui/choice'
import type { Failure } from '../../platform/failure'
import { notify } from '../../platform/notifications'
import { useSettings } from '../../platform/settings'
import { useWrite } from '../../platform/use-write'
import { WriteRefusal } from '../../ui/conflict'
import { onSubmit, Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog } from '../../ui/form-dialog'
import { fieldTimeOf, isoTimeOf, StoreTimeField } from '../../ui/period-fields'
import { SecretDialog } from '../../ui/secret-dialog'
import { TextField } from '../../ui/text-field'
import { eventLabels } from './webhook-labels'
import styles from './webhooks.module.css'
import { useWebhooksApi, webhookChanges } from './webhooks.queries'

interface EventChoiceProps {
  chosen: readonly WebhookEventType[]
  onChange: (chosen: readonly WebhookEventType[]) => void
  error: string | undefined
}

/** Chooses what an endpoint is told. */
function EventChoice({ chosen, onChange, error }: EventChoiceProps) {
  const { i18n } = useLingui()
  return (
    <fieldset>
      <legend className={form.legend}>
        <Trans>Events</Trans>
      </legend>
      {error && <p className={styles.error}>{error}</p>}
      <div className={styles.events}>
        {webhookEventType.options.map((type) => (
          <Checkbox
            key={type}
            label={i18n._(eventLabels[type])}
            checked={chosen.includes(type)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, type] : chosen.filter((each) => each !== type))
            }
          />
        ))}
      </div>
    </fieldset>
  )
}

interface EndpointFieldsProps extends Omit<EventChoiceProps, 'error'> {
  endpoint?: WebhookEndpointView
  failure: Failure | undefined
}

function EndpointFields({ endpoint, failure, ...choice }: EndpointFieldsProps) {
  const { t } = useLingui()
  return (
    <>
      <TextField
        label={t`Address`}
        hint={t`Begins with https://. Each event is a POST request to it.`}
        name="url"
        type="url"
        inputMode="url"
        dir="ltr"
        defaultValue={endpoint?.url}
        maxLength={2000}
        autoComplete="off"
        required
        error={failure?.fields.url}
      />
      <TextField
        label={t`Description`}
        hint={t`Which program it is, for your colleagues.`}
        name="description"
        defaultValue={endpoint?.description}
        maxLength={200}
        error={failure?.fields.description}
      />
      <EventChoice {...choice} error={failure?.fields.eventTypes} />
    </>
  )
}

interface EndpointSecretProps {
  secret: string
  onClose: () => void
  children?: ReactNode
}

/** Shows the secret of an endpoint, once. */
export function EndpointSecret(props: EndpointSecretProps) {
  const { t } = useLingui()
  return (
    <SecretDialog
      title={<Trans>Signing secret</Trans>}
      warning={<Trans>Copy the secret now: it is shown only once. Your program verifies requests with it.</Trans>}
      copyLabel={t`Copy the signing secret`}
      {...props}
    />
  )
}

/** Creates an endpoint. */
export function NewEndpointDialog({
  onCreated,
  onClose,
}: {
  onCreated: (created: { secret: string; endpoint: WebhookEndpointView }) => void
  onClose: () => void
}) {
  const { t } = useLingui()
  const api = useWebhooksApi()
  const [chosen, setChosen] = useState<readonly WebhookEventType[]>([])
  const create = useWrite(
    (texts: { url: string; description: string }) => api.create({ ...texts, eventTypes: [...chosen] }),
    {
      done: t`Endpoint added`,
      changes: webhookChanges,
      onDone: ({ secret, ...endpoint }) => onCreated({ secret, endpoint }),
    },
  )
  return (
    <FormDialog
      title={<Trans>Add endpoint</Trans>}
      action={<Trans>Add endpoint</Trans>}
      writes={[create]}
      onClose={onClose}
    >
      {(formId) => (
        <form
          id={formId}
          className={form.form}
          onSubmit={onSubmit(({ url = '', description = '' }) => create.send({ url, description }))}
        >
          <Refusal failure={create.failure} />
          <EndpointFields chosen={chosen} onChange={setChosen} failure={create.failure} />
        </form>
      )}
    </FormDialog>
  )
}

/** Changes the address, the description and the events of an endpoint. */
export function EditEndpointDialog({ endpoint, onClose }: { endpoint: WebhookEndpointView; onClose: () => void }) {
  const { t } = useLingui()
  const api = useWebhooksApi()
  // What the person sees is loaded again meanwhile; the version belongs to what is in the form.
  const [{ id, version }] = useState(endpoint)
  const [chosen, setChosen] = useState<readonly WebhookEventType[]>(endpoint.eventTypes)
  const save = useWrite(
    (texts: { url: string; description: string }) =>
      api.change({ id, ...texts, eventTypes: [...chosen] }, { context: { ifMatch: version } }),
    { done: t`Endpoint saved`, changes: webhookChanges, onClose },
  )
  return (
    <FormDialog title={<Trans>Edit endpoint</Trans>} action={<Trans>Save</Trans>} writes={[save]} onClose={onClose}>
      {(formId) => (
        <form
          id={formId}
          className={form.form}
          onSubmit={onSubmit(({ url = '', description = '' }) => save.send({ url, description }))}
        >
          <WriteRefusal failure={save.failure} queryKey={['webhooks']} onLoaded={onClose} />
          <EndpointFields endpoint={endpoint} chosen={chosen} onChange={setChosen} failure={save.failure} />
        </form>
      )}
    </FormDialog>
  )
}

const dayMilliseconds = 86_400_000

/** Sends the deliveries again that have failed since a time. */
export function ReplayDialog({ id, onClose }: { id: WebhookEndpointView['id']; onClose: () => void }) {
  const { t } = useLingui()
  const api = useWebhooksApi()
  const { timeZone } = useSettings().base
  const [yesterday] = useState(() => fieldTimeOf(new Date(Date.now() - dayMilliseconds), timeZone))
  const replay = useWrite((since: string) => api.replayFailed({ id, since }), {
    changes: webhookChanges,
    onDone: ({ queued }) => {
      notify('success', queued === 0 ? t`Nothing has failed since then` : t`Queued again: ${queued}`)
      onClose()
    },
  })
  return (
    <FormDialog
      title={<Trans>Replay failed deliveries</Trans>}
      action={<Trans>Replay</Trans>}
      writes={[replay]}
      onClose={onClose}
    >
      {(formId) => (
        <form
          id={formId}
          className={form.form}
          onSubmit={onSubmit(({ since = '' }) => replay.send(isoTimeOf(since, timeZone)))}
        >
          <p>
            <Trans>Each is sent again with its id and its body. Your program may have seen some of them.</Trans>
          </p>
          <Refusal failure={replay.failure} />
          <StoreTimeField
            label={t`Failed since`}
            name="since"
            defaultValue={yesterday}
            required
            error={replay.failure?.fields.since}
          />
        </form>
      )}
    </FormDialog>
  )
}
