import { PageFrame } from '../parts/page-frame.tsx';
import { Empty } from '../parts/trouble.tsx';

export function NowherePage() {
  return (
    <PageFrame title="Nothing here" heading="Nothing here">
      <Empty title="There is no page at this address.">
        <p>
          <a href="#/">Go to the start</a>
        </p>
      </Empty>
    </PageFrame>
  );
}
