import { useQuery } from '@tanstack/react-query'
import { readStoryboard, type Thumbnail, thumbnailAt } from '../storyboard'

/** The picture of the moment that is pointed at. The storyboard is fetched when somebody first points. */
export function useStoryboard(url: string | null, pointed: number | undefined): Thumbnail | undefined {
  const { data: scenes } = useQuery({
    queryKey: ['storyboard', url],
    queryFn: ({ signal }) => readStoryboard(url!, signal),
    enabled: url !== null && pointed !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    // Without thumbnails the time is shown alone.
    retry: 1,
  })
  return scenes && pointed !== undefined ? thumbnailAt(scenes, pointed) : undefined
}
