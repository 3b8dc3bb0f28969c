import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { StoreSettings } from '#contract/admin/settings.ts'
import { siteSettings } from '#contract/tenancy.ts'
import { Button } from '~/ui/button'
import { Select } from '~/ui/select'
import { contrast, parseColor, type ThemeChoice, themeProperties } from '~/ui/theme'
import { useSettings } from '../../platform/settings'
import { heldState } from '../../ui/form-draft'
import { TextField } from '../../ui/text-field'
import { SettingsForm } from './settings-form'
import styles from './theme-section.module.css'

const { surface, radius, font } = siteSettings.shape.theme.shape

/** The contrast of two colours, in one decimal; null if one of them is not a colour. */
const ratio = (one: string | undefined, other: string | undefined): number | null => {
  const [a, b] = [parseColor(one ?? ''), parseColor(other ?? '')]
  return a && b ? Math.round(contrast(a, b) * 10) / 10 : null
}

interface PreviewProps {
  theme: ThemeChoice
  mode: 'light' | 'dark'
}

/** A piece of the store in one mode, with the contrast of its buttons. */
function Preview({ theme, mode }: PreviewProps) {
  const { t } = useLingui()
  const name = useSettings().base.name ?? ''
  const properties = themeProperties(theme)
  const [fill, text] = [properties[`--accent-${mode}`], properties[`--accent-contrast-${mode}`]]
  const contrast = ratio(fill, text)
  const isRepaired = fill !== undefined && fill !== theme.accent.toLowerCase()
  return (
    <div data-theme={mode} style={properties} className={styles.preview}>
      <span className={styles.title}>
        <bdi>{name}</bdi>
      </span>
      {/* What it looks like, not a control. */}
      <span aria-hidden>
        <Button variant="primary" tabIndex={-1} render={<span />}>
          <Trans>Buy</Trans>
        </Button>
      </span>
      <span className={styles.link}>
        <Trans>A link</Trans>
      </span>
      {contrast !== null && (
        <span className={styles.ratio}>
          {isRepaired
            ? t`Contrast ${contrast} : 1 with ${fill}, the nearest color on which text can be read`
            : t`Contrast ${contrast} : 1`}
        </span>
      )}
    </div>
  )
}

/** Colour, shape and typeface of the store, with what they look like. */
export function ThemeSection({ stored }: { stored: StoreSettings }) {
  const { theme } = stored.settings
  return <ThemeForm key={JSON.stringify(theme)} stored={stored} />
}

function ThemeForm({ stored }: { stored: StoreSettings }) {
  const { t } = useLingui()
  const [theme, setTheme] = useState<ThemeChoice>(stored.settings.theme)
  const edit = (part: Partial<ThemeChoice>) => setTheme((before) => ({ ...before, ...part }))
  const { accent } = theme
  const modes = theme.surface === 'system' ? (['light', 'dark'] as const) : [theme.surface]
  return (
    <SettingsForm
      title={<Trans>Look</Trans>}
      stored={stored}
      part="theme"
      held={heldState(theme, siteSettings.shape.theme, setTheme)}
      changeOf={() => ({ theme })}
    >
      {(errors) => (
        <>
          <div className={styles.accent}>
            <TextField
              label={t`Color of buttons and links`}
              value={accent}
              onChange={({ target }) => edit({ accent: target.value.trim() })}
              maxLength={7}
              required
              dir="ltr"
              error={errors['theme.accent']}
            />
            <input
              type="color"
              className={styles.picker}
              aria-label={t`Choose a color`}
              value={/^#[0-9a-f]{6}$/i.test(accent) ? accent.toLowerCase() : '#000000'}
              onChange={({ target }) => edit({ accent: target.value })}
            />
          </div>
          <Select
            label={t`Pages`}
            value={theme.surface}
            onChange={({ target }) => edit({ surface: surface.safeParse(target.value).data ?? theme.surface })}
            options={[
              { value: 'system', label: t`Light or dark, as the visitor’s device` },
              { value: 'light', label: t`Light` },
              { value: 'dark', label: t`Dark` },
            ]}
          />
          <Select
            label={t`Corners`}
            value={theme.radius}
            onChange={({ target }) => edit({ radius: radius.safeParse(target.value).data ?? theme.radius })}
            options={[
              { value: 'none', label: t`Square` },
              { value: 'small', label: t`Slightly round` },
              { value: 'medium', label: t`Round` },
              { value: 'large', label: t`Very round` },
            ]}
          />
          <Select
            label={t`Typeface`}
            value={theme.font}
            onChange={({ target }) => edit({ font: font.safeParse(target.value).data ?? theme.font })}
            options={[
              { value: 'sans', label: t`Sans serif` },
              { value: 'serif', label: t`Serif` },
              { value: 'rounded', label: t`Rounded` },
            ]}
          />
          <section className={styles.previews} aria-label={t`Preview`}>
            {modes.map((mode) => (
              <Preview key={mode} theme={theme} mode={mode} />
            ))}
          </section>
        </>
      )}
    </SettingsForm>
  )
}
