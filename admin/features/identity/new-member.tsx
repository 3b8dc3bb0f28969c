import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { flushSync } from 'react-dom'
import * as z from 'zod/mini'
import { memberFound } from '#contract/admin/members.ts'
import { locale } from '#contract/enumerations.ts'
import type { MemberId } from '#contract/ids.ts'
import { Notice } from '~/ui/notice'
import { Select } from '~/ui/select'
import { EmailField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import type { Failure } from '../../platform/failure'
import { useMailNotice, useSendsMail } from '../../platform/session'
import { useSettings } from '../../platform/settings'
import { useWrite } from '../../platform/use-write'
import { onSubmit, Refusal, type Texts } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog } from '../../ui/form-dialog'
import { storeLanguages } from '../../ui/store-languages'
import { TextField } from '../../ui/text-field'

/** The page of the member who has the address already. The dialog closes without a question. */
function Existing({ failure, onFollow }: { failure: Failure | undefined; onFollow: () => void }) {
  const { data } = memberFound.safeParse(failure?.data)
  if (!data) return <Refusal failure={failure} />
  return (
    <Notice tone="warning" urgent>
      <Link to="/members/$id" params={{ id: data.memberId }} onClick={() => flushSync(onFollow)}>
        <Trans>Open this member</Trans>
      </Link>
    </Notice>
  )
}

interface NewMemberDialogProps {
  /** What was searched for, where it is an address. */
  email?: string
  onCreated: (member: { id: MemberId; email: string }) => void
  onClose: () => void
}

/** Creates a member, who sets the password with the link of an email. */
export function NewMemberDialog({ email: searched, onCreated, onClose }: NewMemberDialogProps) {
  const { t } = useLingui()
  const { members } = useAdminApi().admin
  const { base } = useSettings()
  const mailNotice = useMailNotice()
  const sendsMail = useSendsMail()
  const create = useWrite(
    async ({ email = '', name = '', language = base.locale }: Texts) => ({
      ...(await members.create({ email, name, locale: z.parse(locale, language) })),
      email,
    }),
    {
      done: mailNotice(t({ message: 'Member created', context: 'notification' })),
      changes: [['members'], ['home']],
      onDone: onCreated,
    },
  )
  return (
    <FormDialog
      title={<Trans>New member</Trans>}
      action={<Trans>Create the member</Trans>}
      writes={[create]}
      part="new member"
      onClose={onClose}
    >
      {(formId) => (
        <form id={formId} className={form.form} onSubmit={onSubmit((texts) => create.send(texts))}>
          {sendsMail ? (
            <p>
              <Trans>
                The person gets an email with a link, valid for 7 days, to set a password and to agree to the terms.
                They get no marketing unless they choose it there.
              </Trans>
            </p>
          ) : (
            <Notice tone="warning">
              <Trans>
                No mail server is set, so the person gets no email. Once one is set, send the invitation again from the
                member’s page.
              </Trans>
            </Notice>
          )}
          <EmailField
            label={t`Email`}
            defaultValue={searched}
            autoComplete="off"
            required
            error={create.failure?.fields.email}
          />
          <TextField
            label={t`Name`}
            hint={t`May stay empty.`}
            name="name"
            autoComplete="off"
            maxLength={80}
            error={create.failure?.fields.name}
          />
          {base.locales.length > 1 && (
            <Select
              label={t`Language`}
              name="language"
              defaultValue={base.locale}
              options={base.locales.map((value) => ({ value, label: storeLanguages[value] }))}
              error={create.failure?.fields.locale}
            />
          )}
          <Existing failure={create.failure} onFollow={onClose} />
        </form>
      )}
    </FormDialog>
  )
}
