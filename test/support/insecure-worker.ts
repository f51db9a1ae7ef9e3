// The archive's worker as it finds itself on a page that is not secure. The order matters.
import './no-file-system.js';
import '../../worker/main.js';
