import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { largestGallery, type PosterPlace, type StoreProductPictures } from '#contract/admin/product-pictures.ts'
import type { StoreProduct } from '#contract/admin/products.ts'
import type { ProductCode } from '#contract/ids.ts'
import { Button, IconButton } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { useAdminApi } from '../../platform/admin-api'
import { lazyPart } from '../../platform/lazy-part'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { useConfirm } from '../../ui/confirm'
import { WriteRefusal } from '../../ui/conflict'
import { FileButton } from '../../ui/file-button'
import { Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { OrderedRows } from '../../ui/ordered-rows'
import { Section } from '../../ui/page'
import { Loaded } from '../../ui/states'
import styles from './products.module.css'
import { picturesQuery, postersQuery } from './products.queries'

const PictureTextDialog = lazyPart(async () => ({
  default: (await import('./picture-text-dialog')).PictureTextDialog,
}))

const changesOf = (code: ProductCode) => [['product-pictures', code], ['product', code], ['products']]

interface PictureButtonsProps {
  code: ProductCode
  place: PosterPlace
  picture: StoreProductPictures[PosterPlace]
  upload: ReactNode
  removeLabel: string
}

/** Uploads a picture in a place, or removes it. */
function PictureButtons({ code, place, picture, upload, removeLabel }: PictureButtonsProps) {
  const { t } = useLingui()
  const { products } = useAdminApi().admin
  const changes = changesOf(code)
  const set = useWrite((file: File) => products.setPicture({ code, place, file }), {
    done: t`Picture saved`,
    changes,
    onDone: () => remove.reset(),
  })
  const remove = useWrite(() => products.removePicture({ code, place }), {
    done: t`Picture removed`,
    changes,
    onDone: () => set.reset(),
  })
  const confirm = useConfirm({
    title: t`Remove the picture?`,
    text: place === 'poster' && <Trans>Cards show a color until there is another one.</Trans>,
    action: t`Remove`,
    onConfirm: () => remove.sendAsync(undefined),
  })
  return (
    <>
      <Refusal failure={set.failure ?? remove.failure} />
      <div className={form.buttons}>
        <FileButton accept="image/*" isPending={set.isPending} onChoose={set.send}>
          {upload}
        </FileButton>
        {picture && (
          <Button aria-label={removeLabel} loading={remove.isPending} onClick={confirm.ask}>
            <Trans>Remove</Trans>
          </Button>
        )}
      </div>
      {confirm.dialog}
    </>
  )
}

/** The poster: an uploaded picture, or one of the video. */
function PosterSection({ product, pictures }: { product: StoreProduct; pictures: StoreProductPictures }) {
  const { code, durationSeconds, lessonCount } = product
  const { t } = useLingui()
  const api = useAdminApi()
  const isAllowed = useMay()('products:write')
  const hasFrames = isAllowed && durationSeconds !== null && lessonCount === 0
  const choices = useQuery({ ...postersQuery(api, code), enabled: hasFrames })
  const choose = useWrite((number: number) => api.admin.products.choosePoster({ code, number }), {
    done: t`Picture saved`,
    changes: changesOf(code),
    notifiesFailure: true,
  })
  return (
    <Section title={<Trans>Poster</Trans>}>
      {pictures.poster ? (
        <img className={styles.poster} src={pictures.poster.url} alt={t`The poster`} />
      ) : (
        <div className={styles.noPoster}>
          <EmptyState compact icon="film" headingLevel="h3" title={<Trans>No poster yet</Trans>}>
            <Trans>
              Cards and the page of the product show a plain color until there is one. A wide picture of 16:9 fits best.
            </Trans>
          </EmptyState>
        </div>
      )}
      {isAllowed && (
        <PictureButtons
          code={code}
          place="poster"
          picture={pictures.poster}
          upload={pictures.poster ? <Trans>Upload another poster</Trans> : <Trans>Upload a poster</Trans>}
          removeLabel={t`Remove the poster`}
        />
      )}
      {hasFrames && choices.data && choices.data.items.length > 0 && (
        <div className={styles.choices}>
          {choices.data.items.map(({ number, url }) => (
            <Button
              key={number}
              variant="ghost"
              className={styles.choice}
              aria-label={t`Use picture ${number}`}
              onClick={() => {
                if (!choose.isPending) choose.send(number)
              }}
            >
              <img src={url} alt="" loading="lazy" />
            </Button>
          ))}
        </div>
      )}
    </Section>
  )
}

/** The picture of upright cards, such as those of series. */
function TallSection({ code, tall }: { code: ProductCode; tall: StoreProductPictures['tall'] }) {
  const { t } = useLingui()
  const isAllowed = useMay()('products:write')
  return (
    <Section title={<Trans>Upright poster</Trans>}>
      {tall ? (
        <img className={styles.tall} src={tall.url} alt={t`The upright poster`} />
      ) : (
        <p>
          <Trans>Upright cards cut the poster. Upload one of 2:3 to choose what they show.</Trans>
        </p>
      )}
      {isAllowed && (
        <PictureButtons
          code={code}
          place="tall"
          picture={tall}
          upload={tall ? <Trans>Upload another upright poster</Trans> : <Trans>Upload an upright poster</Trans>}
          removeLabel={t`Remove the upright poster`}
        />
      )}
    </Section>
  )
}

/** A picture in its dialog, with the pictures and the version that the texts in it belong to. */
interface DescribedPicture {
  picture: StoreProductPictures['gallery'][number]
  urls: string[]
  version: StoreProductPictures['version']
}

/** The further pictures of the product’s page. Each change is saved at once. */
function GallerySection({
  code,
  pictures: { gallery, version },
}: {
  code: ProductCode
  pictures: StoreProductPictures
}) {
  const { t } = useLingui()
  const { products } = useAdminApi().admin
  const isAllowed = useMay()('products:write')
  const queryKey = ['product-pictures', code]
  const changes = changesOf(code)
  const queryClient = useQueryClient()
  const addAll = async (files: readonly File[]) => {
    try {
      for (const file of files) await products.addPicture({ code, file })
    } catch (error) {
      // Those before the one that was refused are there.
      for (const changed of changes) void queryClient.invalidateQueries({ queryKey: changed })
      throw error
    }
  }
  const add = useWrite(addAll, { done: t`Pictures added`, changes })
  const urls = gallery.map(({ url }) => url)
  const save = (changed: string[]) =>
    products.changePictures({ code, gallery: changed }, { context: { ifMatch: version } })
  const [described, setDescribed] = useState<DescribedPicture>()
  const remove = useWrite((url: string) => save(urls.filter((other) => other !== url)), {
    done: t`Picture removed`,
    changes,
    onDone: () => add.reset(),
  })
  const [chosen, setChosen] = useState<string>()
  const place = chosen === undefined ? 0 : urls.indexOf(chosen) + 1
  const confirm = useConfirm({
    title: t`Remove picture ${place}?`,
    action: t`Remove`,
    onConfirm: async () => chosen && remove.sendAsync(chosen),
  })
  return (
    <Section title={<Trans>Pictures</Trans>}>
      <div className={form.fields}>
        {gallery.length === 0 && (
          <p>
            <Trans>Visitors look at them beside the poster: scenes, pages, what is in the box.</Trans>
          </p>
        )}
        <OrderedRows
          permission="products:write"
          queryKey={queryKey}
          changes={changes}
          send={({ key, position }) => save(urls.filter((url) => url !== key).toSpliced(position - 1, 0, key))}
          items={gallery.map((picture, at) => {
            const { url, description } = picture
            const name = t`Picture ${at + 1}`
            return {
              key: url,
              name,
              title: (
                <a className={styles.picture} href={url} target="_blank" rel="noreferrer">
                  <img src={url} alt="" loading="lazy" />
                  {name}
                </a>
              ),
              detail: description && <bdi>{description}</bdi>,
              end: isAllowed && (
                <>
                  <Button
                    size="s"
                    aria-label={t`Describe ${name}`}
                    onClick={() => setDescribed({ picture, urls, version })}
                  >
                    <Trans>Describe</Trans>
                  </Button>
                  <IconButton
                    icon="trash"
                    label={t`Remove ${name}`}
                    onClick={() => {
                      setChosen(url)
                      confirm.ask()
                    }}
                  />
                </>
              ),
            }
          })}
        />
        {confirm.dialog}
        {described && (
          <PictureTextDialog
            picture={described.picture}
            queryKey={queryKey}
            changes={changes}
            send={(text) =>
              products.changePictures(
                { code, gallery: described.urls, texts: [text] },
                { context: { ifMatch: described.version } },
              )
            }
            onClose={() => setDescribed(undefined)}
          />
        )}
        <WriteRefusal failure={remove.failure} queryKey={queryKey} onLoaded={remove.reset} />
        <Refusal failure={add.failure} />
        {isAllowed && gallery.length < largestGallery && (
          <div className={form.buttons}>
            <FileButton accept="image/*" isPending={add.isPending} onChooseMany={add.send}>
              <Trans>Add pictures</Trans>
            </FileButton>
          </div>
        )}
      </div>
    </Section>
  )
}

/** All pictures of a product. */
export function PictureSections({ product }: { product: StoreProduct }) {
  const { code } = product
  const query = useQuery(picturesQuery(useAdminApi(), code))
  if (!query.data)
    return (
      <Section title={<Trans>Poster</Trans>}>
        <Loaded query={query}>{() => null}</Loaded>
      </Section>
    )
  return (
    <>
      <PosterSection product={product} pictures={query.data} />
      <TallSection code={code} tall={query.data.tall} />
      <GallerySection code={code} pictures={query.data} />
    </>
  )
}
