internal import MediaModel
