import { Trans, useLingui } from '@lingui/react/macro'
import type { QueryKey } from '@tanstack/react-query'
import type { GalleryTexts } from '#contract/admin/product-gallery.ts'
import type { StoreProductPictures } from '#contract/admin/product-pictures.ts'
import { directionOf } from '#contract/direction.ts'
import { useSettings } from '../../platform/settings'
import { useWrite } from '../../platform/use-write'
import { WriteRefusal } from '../../ui/conflict'
import { onSubmit, type Texts } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog } from '../../ui/form-dialog'
import { storeLanguages } from '../../ui/store-languages'
import { TextField } from '../../ui/text-field'
import styles from './products.module.css'

interface PictureTextDialogProps {
  picture: StoreProductPictures['gallery'][number]
  queryKey: QueryKey
  changes: readonly QueryKey[]
  send: (text: GalleryTexts[number]) => Promise<unknown>
  onClose: () => void
}

/** Writes what a picture shows, in each language of the store. */
export function PictureTextDialog({ picture, queryKey, changes, send, onClose }: PictureTextDialogProps) {
  const { t } = useLingui()
  const { locale, locales } = useSettings().base
  const { url, description, translations } = picture
  const others = locales.filter((language) => language !== locale)
  const save = useWrite(
    (typed: Texts) =>
      send({
        url,
        description: typed.description?.trim() ?? '',
        translations: Object.fromEntries(others.map((language) => [language, typed[language]?.trim() ?? ''])),
      }),
    { done: t`Description saved`, changes, onDone: onClose },
  )
  return (
    <FormDialog
      title={<Trans>What the picture shows</Trans>}
      action={<Trans>Save</Trans>}
      writes={[save]}
      part={`picture ${url}`}
      onClose={onClose}
    >
      {(formId) => (
        <form id={formId} className={form.form} onSubmit={onSubmit((typed) => save.send(typed))}>
          <img className={styles.poster} src={url} alt="" />
          <WriteRefusal failure={save.failure} queryKey={queryKey} onLoaded={onClose} />
          <TextField
            label={t`Description`}
            hint={t`For people who do not see it. The title of the product and its number if empty.`}
            name="description"
            defaultValue={description}
            maxLength={300}
            lang={locale}
            dir={directionOf(locale)}
          />
          {others.map((language) => {
            const languageName = storeLanguages[language]
            return (
              <TextField
                key={language}
                label={t`Description in ${languageName}`}
                name={language}
                defaultValue={translations[language] ?? ''}
                maxLength={300}
                lang={language}
                dir={directionOf(language)}
              />
            )
          })}
        </form>
      )}
    </FormDialog>
  )
}
