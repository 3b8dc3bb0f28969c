import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { directionOf } from '#contract/direction.ts'
import type { Maintenance } from '#contract/tenancy.ts'
import { Button } from '~/ui/button'
import { Dialog } from '~/ui/dialog'
import { useAdminApi } from '../../platform/admin-api'
import { useStoreCode } from '../../platform/client'
import type { Failure } from '../../platform/failure'
import { useFormat } from '../../platform/format'
import { useSettings } from '../../platform/settings'
import { useWrite } from '../../platform/use-write'
import { CodeConfirmation } from '../../ui/code-confirmation'
import { onSubmit, Refusal, type Texts } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog } from '../../ui/form-dialog'
import { Section } from '../../ui/page'
import { fieldTimeOf, isoTimeOf, StoreTimeField } from '../../ui/period-fields'
import { Rows } from '../../ui/rows'
import { storeLanguages } from '../../ui/store-languages'
import { TextArea } from '../../ui/text-field'

const nothing: Maintenance = { texts: {}, backAt: null }

/** A text for visitors in each language of the store, and when it opens again. */
function MaintenanceFields({ value, failure }: { value: Maintenance; failure: Failure | undefined }) {
  const { t } = useLingui()
  const { locales, timeZone } = useSettings().base
  return (
    <>
      {locales.map((language) => {
        const languageName = storeLanguages[language]
        return (
          <TextArea
            key={language}
            label={locales.length > 1 ? t`Text for visitors (${languageName})` : t`Text for visitors`}
            name={`text.${language}`}
            rows={3}
            maxLength={1000}
            lang={language}
            dir={directionOf(language)}
            defaultValue={value.texts[language] ?? ''}
            error={failure?.fields[`texts.${language}`]}
          />
        )
      })}
      <StoreTimeField
        label={t`Opens again`}
        hint={t`Visitors and search engines see this day and time. The store does not open by itself.`}
        name="backAt"
        defaultValue={value.backAt === null ? '' : fieldTimeOf(new Date(value.backAt), timeZone)}
        error={failure?.fields.backAt}
      />
    </>
  )
}

/** Returns a function that reads what was typed. */
const useMaintenanceIn = () => {
  const { locales, timeZone } = useSettings().base
  return (typed: Texts): Maintenance => ({
    texts: Object.fromEntries(locales.map((language) => [language, typed[`text.${language}`] ?? ''])),
    backAt: typed.backAt ? isoTimeOf(typed.backAt, timeZone) : null,
  })
}

/** Closes the store after its code was typed. */
export function CloseStore({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const code = useStoreCode()
  const [typed, setTyped] = useState('')
  const maintenanceIn = useMaintenanceIn()
  const close = useWrite((maintenance: Maintenance) => api.admin.store.close({ code: typed, ...maintenance }), {
    done: t`The store is closed`,
    changes: [['store-status']],
    onClose,
  })
  return (
    <Dialog open alert onClose={onClose} title={t`Close the store?`} closeLabel={t`Close`}>
      <form className={form.form} onSubmit={onSubmit((texts) => close.send(maintenanceIn(texts)))}>
        <p>
          <Trans>
            Nobody can buy or watch until you open it again. Without a text, visitors read that the store is temporarily
            closed, and that purchases and accounts are safe.
          </Trans>
        </p>
        <MaintenanceFields value={nothing} failure={close.failure} />
        <CodeConfirmation
          code={code}
          typed={typed}
          onType={setTyped}
          error={close.failure?.fields.code ?? (close.failure?.fields.backAt ? undefined : close.failure?.message)}
        />
        <div className={form.buttons}>
          <Button variant="ghost" onClick={onClose}>
            <Trans>Back</Trans>
          </Button>
          <Button type="submit" variant="danger" disabled={typed !== code} loading={close.isPending}>
            <Trans>Close the store</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function MaintenanceDialog({ value, onClose }: { value: Maintenance; onClose: () => void }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const maintenanceIn = useMaintenanceIn()
  const write = useWrite((maintenance: Maintenance) => api.admin.store.setMaintenance(maintenance), {
    done: t`Saved`,
    changes: [['store-status']],
    onClose,
  })
  return (
    <FormDialog
      title={t`What visitors read`}
      action={<Trans>Save</Trans>}
      writes={[write]}
      part="maintenance"
      onClose={onClose}
    >
      {(formId) => (
        <form id={formId} className={form.fields} onSubmit={onSubmit((texts) => write.send(maintenanceIn(texts)))}>
          <Refusal failure={write.failure} />
          <MaintenanceFields value={value} failure={write.failure} />
        </form>
      )}
    </FormDialog>
  )
}

/** What visitors of the closed store read. */
export function MaintenanceSection({ value, isAllowed }: { value: Maintenance; isAllowed: boolean }) {
  const { dateTime } = useFormat()
  const [isEditing, setEditing] = useState(false)
  const languages = useSettings().base.locales.filter((language) => value.texts[language])
  return (
    <Section
      title={<Trans>What visitors read</Trans>}
      actions={
        isAllowed && (
          <Button size="s" onClick={() => setEditing(true)}>
            <Trans>Edit</Trans>
          </Button>
        )
      }
    >
      {languages.length === 0 && (
        <p>
          <Trans>The store is temporarily closed. Purchases and accounts are safe.</Trans>
        </p>
      )}
      <Rows
        items={languages.map((language) => ({
          key: language,
          title: (
            <span lang={language} dir={directionOf(language)}>
              {value.texts[language]}
            </span>
          ),
          detail: storeLanguages[language],
        }))}
      />
      {value.backAt !== null && (
        <p>
          <Trans>Opens again: {dateTime(value.backAt)}</Trans>
        </p>
      )}
      {isEditing && <MaintenanceDialog value={value} onClose={() => setEditing(false)} />}
    </Section>
  )
}
