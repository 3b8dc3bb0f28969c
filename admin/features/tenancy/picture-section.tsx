import { Trans, useLingui } from '@lingui/react/macro'
import type { StoreSettings, StoreSettingsChange } from '#contract/admin/settings.ts'
import { Button } from '~/ui/button'
import { useAdminApi } from '../../platform/admin-api'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { useConfirm } from '../../ui/confirm'
import { WriteRefusal } from '../../ui/conflict'
import { FileButton } from '../../ui/file-button'
import form from '../../ui/form.module.css'
import { Section } from '../../ui/page'
import styles from './picture-section.module.css'
import { settingsKey } from './settings.queries'

const changes = [settingsKey, ['settings'], ['store-status']]

interface PictureProps {
  stored: StoreSettings
  picture: 'logo' | 'logo-dark' | 'favicon' | 'shared'
  label: string
  hint: string
  url: string | null
  /** The change that removes it. */
  removal: StoreSettingsChange
}

function Picture({ stored, picture, label, hint, url, removal }: PictureProps) {
  const { t } = useLingui()
  const api = useAdminApi()
  const isAllowed = useMay()('settings:write')
  const set = useWrite((file: File) => api.admin.settings.setPicture({ picture, file }), {
    done: t`Picture saved`,
    changes,
  })
  const remove = useWrite(() => api.admin.settings.update(removal, { context: { ifMatch: stored.version } }), {
    done: t`Picture removed`,
    changes,
  })
  const confirm = useConfirm({
    title: t`Remove the picture?`,
    action: t`Remove`,
    onConfirm: () => remove.sendAsync(undefined),
  })
  return (
    <div className={styles.picture}>
      <div className={styles.text}>
        <h3 className={styles.label}>{label}</h3>
        <p className={styles.hint}>{hint}</p>
      </div>
      {url && (
        <img
          className={styles.image}
          // The logo for dark pages is light.
          data-theme={picture === 'logo-dark' ? 'dark' : 'light'}
          src={url}
          alt={label}
        />
      )}
      <WriteRefusal failure={set.failure ?? remove.failure} queryKey={settingsKey} onLoaded={remove.reset} />
      {isAllowed && (
        <div className={form.buttons}>
          <FileButton
            accept=".svg,.png,.jpg,.jpeg,.webp,.ico"
            label={url ? t`Replace: ${label}` : t`Upload: ${label}`}
            isPending={set.isPending}
            onChoose={set.send}
          >
            {url ? <Trans>Replace</Trans> : <Trans>Upload</Trans>}
          </FileButton>
          {url && (
            <Button loading={remove.isPending} aria-label={t`Remove: ${label}`} onClick={confirm.ask}>
              <Trans>Remove</Trans>
            </Button>
          )}
        </div>
      )}
      {confirm.dialog}
    </div>
  )
}

/** The pictures of the store, each saved by itself. */
export function PictureSection({ stored }: { stored: StoreSettings }) {
  const { t } = useLingui()
  const { base, seo } = stored.settings
  return (
    <Section title={<Trans>Pictures</Trans>}>
      <Picture
        stored={stored}
        picture="logo"
        label={t`Logo`}
        hint={t`SVG, PNG, JPEG or WebP. The header shows it if the settings of the store say so.`}
        url={base.logoPublicUrl}
        removal={{ base: { logoPublicUrl: null } }}
      />
      <Picture
        stored={stored}
        picture="logo-dark"
        label={t`Logo for dark pages`}
        hint={t`Without it, dark pages show the other one.`}
        url={base.logoDarkPublicUrl}
        removal={{ base: { logoDarkPublicUrl: null } }}
      />
      <Picture
        stored={stored}
        picture="favicon"
        label={t`Icon of the browser’s tab`}
        hint={t`A square as SVG, PNG or ICO.`}
        url={base.faviconPublicUrl}
        removal={{ base: { faviconPublicUrl: null } }}
      />
      <Picture
        stored={stored}
        picture="shared"
        label={t`Picture of shared links`}
        hint={t`1200 × 630 pixels, shown where somebody shares the store.`}
        url={seo.ogImagePublicUrl}
        removal={{ seo: { ogImagePublicUrl: null } }}
      />
    </Section>
  )
}
