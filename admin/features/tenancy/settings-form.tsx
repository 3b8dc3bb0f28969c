import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react'
import { Trans, useLingui as useTexts } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { StoreSettings, StoreSettingsChange } from '#contract/admin/settings.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { Button } from '~/ui/button'
import { Checkbox } from '~/ui/choice'
import { Select } from '~/ui/select'
import { useAdminApi } from '../../platform/admin-api'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { WriteRefusal } from '../../ui/conflict'
import { onSubmit, type Texts } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDraft, type HeldState } from '../../ui/form-draft'
import { Section } from '../../ui/page'
import { TextArea, TextField } from '../../ui/text-field'
import { UnsavedChanges } from '../../ui/unsaved-changes'
import { settingsKey } from './settings.queries'

interface SettingText {
  /** The name of the setting, such as `business.phone`. */
  name: string
  label: MessageDescriptor
  hint?: MessageDescriptor
}

/** How a setting is edited. */
export type SettingField = SettingText &
  (
    | { kind: 'line' | 'text'; maxLength: number; isRequired?: true; type?: 'email' | 'tel' | 'url' }
    | { kind: 'number'; min: number; max: number }
    | { kind: 'switch' }
    | { kind: 'choice'; options: readonly { value: string; label: MessageDescriptor | string }[] }
    | { kind: 'list'; options: readonly { value: string; label: MessageDescriptor | string }[] }
  )

/** Reads a setting by name; undefined if it is not set. */
export const settingOf = (settings: SiteSettings, name: string): unknown => {
  let value: unknown = settings
  for (const part of name.split('.')) value = typeof value === 'object' && value ? Reflect.get(value, part) : undefined
  return value
}

const optionName = (name: string, value: string) => `${name}:${value}`

const valueIn = (texts: Texts, field: SettingField): unknown => {
  const text = texts[field.name]?.trim() ?? ''
  if (field.kind === 'switch') return texts[field.name] !== undefined
  if (field.kind === 'number') return Number(text)
  if (field.kind === 'list')
    return field.options.flatMap(({ value }) => (texts[optionName(field.name, value)] === undefined ? [] : [value]))
  return text === '' ? null : text
}

/** The settings of a form as the API takes them. It checks them. */
const changeIn = (texts: Texts, fields: readonly SettingField[]): StoreSettingsChange => {
  const change: Record<string, Record<string, unknown>> = {}
  for (const field of fields) {
    const [group = '', name = '', part] = field.name.split('.')
    const values = change[group] ?? {}
    change[group] = values
    const value = valueIn(texts, field)
    const before = values[name]
    values[name] = part === undefined ? value : { ...(typeof before === 'object' && before), [part]: value }
  }
  return change
}

interface FieldControlProps {
  field: SettingField
  value: unknown
  error: string | undefined
}

function FieldControl({ field, value, error }: FieldControlProps) {
  const { i18n } = useLingui()
  const text = (label: MessageDescriptor | string) => (typeof label === 'string' ? label : i18n._(label))
  const shared = { label: i18n._(field.label), hint: field.hint && i18n._(field.hint), error, name: field.name }
  switch (field.kind) {
    case 'switch':
      return <Checkbox {...shared} defaultChecked={value === true} />
    case 'choice':
      return (
        <Select
          {...shared}
          defaultValue={String(value ?? field.options[0]?.value)}
          options={field.options.map((option) => ({ value: option.value, label: text(option.label) }))}
        />
      )
    case 'list':
      return (
        <fieldset>
          <legend className={form.legend}>{shared.label}</legend>
          {field.options.map((option, at) => (
            <Checkbox
              key={option.value}
              name={optionName(field.name, option.value)}
              label={text(option.label)}
              defaultChecked={Array.isArray(value) && value.includes(option.value)}
              error={at === field.options.length - 1 ? error : undefined}
            />
          ))}
        </fieldset>
      )
    case 'number':
      return (
        <TextField {...shared} type="number" min={field.min} max={field.max} defaultValue={String(value)} required />
      )
    case 'text':
      return (
        <TextArea
          {...shared}
          rows={3}
          maxLength={field.maxLength}
          required={field.isRequired}
          defaultValue={String(value ?? '')}
        />
      )
    default:
      return (
        <TextField
          {...shared}
          type={field.type ?? 'text'}
          maxLength={field.maxLength}
          required={field.isRequired}
          defaultValue={String(value ?? '')}
        />
      )
  }
}

interface SettingsFormProps {
  title: ReactNode
  stored: StoreSettings
  /** Which form of the settings it is, for its draft. */
  part: string
  /** What the form holds beside its fields, for its draft. */
  held?: HeldState
  /** Whether more has changed than what is typed. */
  isChanged?: boolean
  onSaved?: () => void
  /** Sends what the form holds. */
  changeOf: (texts: Texts) => StoreSettingsChange
  /** The fields, given the errors by the name of their setting. */
  children: (errors: Texts) => ReactNode
}

/** A part of the settings that is saved by itself. */
export function SettingsForm(props: SettingsFormProps) {
  const { title, stored, part, held, isChanged = false, onSaved, changeOf, children } = props
  const { t } = useTexts()
  const api = useAdminApi()
  const isAllowed = useMay()('settings:write')
  const [isDirty, setDirty] = useState(false)
  const save = useWrite(
    (texts: Texts) => api.admin.settings.update(changeOf(texts), { context: { ifMatch: stored.version } }),
    {
      done: t`Settings saved`,
      changes: [settingsKey, ['settings'], ['store-status']],
      onDone: () => {
        setDirty(false)
        onSaved?.()
      },
    },
  )
  return (
    <Section title={title}>
      <form className={form.form} onChange={() => setDirty(true)} onSubmit={onSubmit((texts) => save.send(texts))}>
        {isAllowed && (
          <FormDraft
            queryKey={settingsKey}
            part={part}
            isDirty={isDirty || isChanged}
            onRestore={() => setDirty(true)}
            held={held}
          />
        )}
        <fieldset className={form.fields} disabled={!isAllowed}>
          {children(save.failure?.fields ?? {})}
        </fieldset>
        <WriteRefusal failure={save.failure} queryKey={settingsKey} onLoaded={save.reset} />
        {isAllowed && (
          <div className={form.buttons}>
            <Button type="submit" variant="primary" loading={save.isPending}>
              <Trans>Save</Trans>
            </Button>
          </div>
        )}
      </form>
      <UnsavedChanges when={isDirty || isChanged} />
    </Section>
  )
}

interface FieldsFormProps {
  title: ReactNode
  stored: StoreSettings
  fields: readonly SettingField[]
  /** Below the fields. */
  note?: ReactNode
}

/** A form of the listed settings. It begins anew where one of them has changed. */
export function FieldsForm({ title, stored, fields, note }: FieldsFormProps) {
  const values = fields.map(({ name }) => settingOf(stored.settings, name))
  return (
    <SettingsForm
      key={JSON.stringify(values)}
      title={title}
      stored={stored}
      part={fields[0]?.name ?? ''}
      changeOf={(texts) => changeIn(texts, fields)}
    >
      {(errors) => (
        <>
          {fields.map((field, at) => (
            <FieldControl key={field.name} field={field} value={values[at]} error={errors[field.name]} />
          ))}
          {note}
        </>
      )}
    </SettingsForm>
  )
}
