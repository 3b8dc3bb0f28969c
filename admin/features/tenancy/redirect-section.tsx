import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import * as z from 'zod/mini'
import type { StoreSettings, StoreSettingsChange } from '#contract/admin/settings.ts'
import { type RouteRule, routeRule } from '#contract/tenancy.ts'
import { Button, IconButton } from '~/ui/button'
import { Checkbox } from '~/ui/choice'
import type { Texts } from '../../ui/form'
import form from '../../ui/form.module.css'
import { heldState } from '../../ui/form-draft'
import { useRowFocus } from '../../ui/row-focus'
import { TextArea, TextField } from '../../ui/text-field'
import styles from './redirect-section.module.css'
import { SettingsForm } from './settings-form'

const heldRows = z.object({ rows: z.array(z.object({ key: z.string(), rule: routeRule })), added: z.number() })
type Row = z.output<typeof heldRows>['rows'][number]

const nameOf = ({ key }: Row, part: keyof RouteRule) => `${part} ${key}`

const ruleIn = (texts: Texts, row: Row): RouteRule => ({
  from: texts[nameOf(row, 'from')]?.trim() ?? '',
  to: texts[nameOf(row, 'to')]?.trim() ?? '',
  permanent: texts[nameOf(row, 'permanent')] !== undefined,
})

interface RuleFieldsProps {
  row: Row
  errors: { from: string | undefined; to: string | undefined }
  onRemove: () => void
}

function RuleFields({ row, errors, onRemove }: RuleFieldsProps) {
  const { t } = useLingui()
  const { from, to, permanent } = row.rule
  return (
    <li className={styles.rule}>
      <TextField
        label={t`Old address`}
        name={nameOf(row, 'from')}
        defaultValue={from}
        placeholder="/films/:name"
        dir="ltr"
        maxLength={500}
        required
        error={errors.from}
      />
      <TextField
        label={t`New address`}
        name={nameOf(row, 'to')}
        defaultValue={to}
        placeholder="/products/:name"
        dir="ltr"
        maxLength={2000}
        required
        error={errors.to}
      />
      <div className={styles.end}>
        <Checkbox label={t`Permanent (301)`} name={nameOf(row, 'permanent')} defaultChecked={permanent} />
        <IconButton icon="trash" label={t`Remove the redirect of ${from || '–'}`} onClick={onRemove} />
      </div>
    </li>
  )
}

const originsIn = (text: string | undefined) => (text ?? '').split(/\s+/).filter(Boolean)

function RedirectForm({ stored }: { stored: StoreSettings }) {
  const { t } = useLingui()
  const newKey = useId()
  const { routeRules, redirectOrigins } = stored.settings
  const [rows, setRows] = useState<readonly Row[]>(() => routeRules.map((rule, at) => ({ key: String(at), rule })))
  const [added, setAdded] = useState(0)
  const keys = rows.map(({ key }) => key).join()
  const [savedKeys, setSavedKeys] = useState(keys)
  const focus = useRowFocus<HTMLUListElement>(rows.map(({ key }) => key))
  const add = () => {
    setRows([...rows, { key: `${newKey}${added}`, rule: { from: '', to: '', permanent: false } }])
    setAdded(added + 1)
  }
  const changeOf = (texts: Texts): StoreSettingsChange => ({
    routeRules: rows.map((row) => ruleIn(texts, row)),
    redirectOrigins: originsIn(texts.redirectOrigins),
  })
  return (
    <SettingsForm
      title={<Trans>Redirects</Trans>}
      stored={stored}
      part="redirects"
      held={heldState({ rows: [...rows], added }, heldRows, (held) => {
        setRows(held.rows)
        setAdded(held.added)
      })}
      isChanged={keys !== savedKeys}
      onSaved={() => setSavedKeys(keys)}
      changeOf={changeOf}
    >
      {(errors) => {
        const errorOf = (at: number, part: 'from' | 'to') =>
          errors[`routeRules[${at}].${part}`] ?? errors[`routeRules.${at}.${part}`]
        return (
          <>
            <p>
              <Trans>
                Visitors of an address that this store no longer has are led to another. <code>:name</code> stands for a
                part of the address, <code>:rest*</code> for all that follows.
              </Trans>
            </p>
            <ul className={styles.rules} {...focus}>
              {rows.map((row, at) => (
                <RuleFields
                  key={row.key}
                  row={row}
                  errors={{ from: errorOf(at, 'from'), to: errorOf(at, 'to') }}
                  onRemove={() => setRows(rows.filter((each) => each !== row))}
                />
              ))}
            </ul>
            <div className={form.buttons}>
              <Button size="s" icon="plus" onClick={add}>
                <Trans>Add a redirect</Trans>
              </Button>
            </div>
            <TextArea
              label={t`Other sites`}
              hint={t`Redirects may lead to these, one a line, for example https://example.com.`}
              name="redirectOrigins"
              rows={2}
              dir="ltr"
              defaultValue={redirectOrigins.join('\n')}
              error={errors.redirectOrigins ?? errors.routeRules}
            />
          </>
        )
      }}
    </SettingsForm>
  )
}

/** Where old addresses lead. The form begins anew where the redirects have changed. */
export function RedirectSection({ stored }: { stored: StoreSettings }) {
  const { routeRules, redirectOrigins } = stored.settings
  return <RedirectForm key={JSON.stringify([routeRules, redirectOrigins])} stored={stored} />
}
