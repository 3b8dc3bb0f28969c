import { Trans, useLingui } from '@lingui/react/macro'
import type { StoreSettings } from '#contract/admin/settings.ts'
import { directionOf } from '#contract/direction.ts'
import type { Locale } from '#contract/enumerations.ts'
import { translatedSettings } from '#contract/tenancy.ts'
import { storeLanguages } from '../../ui/store-languages'
import { TextArea, TextField } from '../../ui/text-field'
import { companyFields, salesFields, storeFields } from './setting-fields'
import { SettingsForm, settingOf } from './settings-form'

const fields = [...storeFields, ...companyFields, ...salesFields].flatMap((field) => {
  const name = translatedSettings.find((each) => each === field.name)
  return name && (field.kind === 'line' || field.kind === 'text') ? [{ ...field, name }] : []
})

/** The texts in another language. An empty one is shown in the default language. */
export function TranslationSection({ stored, language }: { stored: StoreSettings; language: Locale }) {
  const { i18n } = useLingui()
  const texts = stored.settings.translations?.[language] ?? {}
  const languageName = storeLanguages[language]
  return (
    <SettingsForm
      key={JSON.stringify(texts)}
      title={
        <Trans>
          Texts in <bdi lang={language}>{languageName}</bdi>
        </Trans>
      }
      stored={stored}
      part={language}
      changeOf={(typed) => ({
        translations: {
          [language]: Object.fromEntries(
            fields.map(({ name }) => [name, typed[`${name}.${language}`]?.trim() || null]),
          ),
        },
      })}
    >
      {(errors) =>
        fields.map(({ name, label, kind, maxLength }) => {
          const Control = kind === 'text' ? TextArea : TextField
          return (
            <Control
              key={name}
              name={`${name}.${language}`}
              label={i18n._(label)}
              lang={language}
              dir={directionOf(language)}
              maxLength={maxLength}
              defaultValue={texts[name] ?? ''}
              placeholder={String(settingOf(stored.settings, name) ?? '')}
              error={errors[`translations.${language}.${name}`]}
            />
          )
        })
      }
    </SettingsForm>
  )
}
